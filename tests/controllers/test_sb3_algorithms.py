"""Each algorithm's policy acts as its library says, also through stacks, statistics and own extractors."""

import json

import numpy as np
import pytest
import torch
from gymnasium import spaces
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecNormalize

from optimus_gym.controllers.sb3 import Sb3Controller
from optimus_gym.core.actions import CONTROL_LENGTH, CONTROL_SIZES
from optimus_gym.core.errors import BadValue
from optimus_gym.policies.sb3_seeing import read_statistics, save_statistics
from tests.controllers.play import SPACE, act
from tests.controllers.policies import Still, space_of
from tests.controllers.test_sb3 import sample

ROWS = 3
STEPS = 7
SET = [{"forward": 1}, {"yaw": 3, "attack": 1}, {"jump": 1}, {"hotbar": 4}, {}]
KEYS = ("pov", "vitals")
SMALL = {"net_arch": [16]}


class Vitals(BaseFeaturesExtractor):
    """Reads the vitals alone, scaled by an argument."""

    def __init__(self, space, scale=1.0):
        super().__init__(space, 6)
        self.scale = scale
        self.layer = torch.nn.Linear(6, 6)

    def forward(self, seen):
        return self.layer(seen["vitals"] * self.scale)


def attached(source, rows=ROWS, **options):
    from tests.controllers.play import setting_of

    controller = Sb3Controller(str(source), **options)
    controller.attach(setting_of(rows=rows))
    controller.begin_episodes(range(rows), range(rows))
    return controller


def env_of(actions=None, keys=KEYS):
    actions = spaces.MultiDiscrete(CONTROL_SIZES) if actions is None else actions
    return DummyVecEnv([lambda: Still(space_of(keys), actions) for _ in range(ROWS)])


def lively(model):
    """Let the likeliest actions of a model differ between observations."""
    with torch.no_grad():
        for name, weight in model.policy.named_parameters():
            if name.startswith(("action_net", "q_net.q_net")) and name.endswith("weight"):
                weight.mul_(100)
    return model


def saved(model, folder):
    model.save(folder / "model.zip")
    return folder / "model.zip"


def observations(steps=STEPS, keys=KEYS):
    """Return different observations of all rows, step by step."""
    every = sample(keys, ROWS * steps)
    return [
        {key: values[k * ROWS : (k + 1) * ROWS] for key, values in every.items()}
        for k in range(steps)
    ]


def keys_of(actions, low_level):
    """Return the low-level values of indices of `SET`, from a controller's own table."""
    return low_level[np.asarray(actions).reshape(-1)].tolist()


@pytest.mark.parametrize("algorithm", [PPO, A2C])
def test_actor_critics_act_like_their_models(tmp_path, algorithm):
    model = lively(algorithm("MultiInputPolicy", env_of(), n_steps=2, policy_kwargs=SMALL))
    controller = attached(saved(model, tmp_path))
    for seen in observations(3):
        made = act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH]
        assert made.tolist() == model.predict(seen, deterministic=True)[0].tolist()


@pytest.fixture
def dqn():
    env = env_of(spaces.Discrete(len(SET)))
    model = DQN("MultiInputPolicy", env, buffer_size=8, policy_kwargs=SMALL, seed=1)
    return lively(model)


def test_dqn_acts_by_the_highest_value(dqn, tmp_path):
    controller = attached(saved(dqn, tmp_path), actions=SET)
    chosen = set()
    for seen in observations(20):
        expected = dqn.predict(seen, deterministic=True)[0]
        chosen |= set(expected.tolist())
        made = act(controller, range(ROWS), seen)[0]
        assert made.tolist() == keys_of(expected, controller._actions)
    assert len(chosen) > 1


def test_dqn_explores_as_often_as_in_training(dqn, tmp_path):
    dqn.exploration_rate = 0.4
    controller = attached(saved(dqn, tmp_path), 2000, actions=SET, deterministic=False)
    one = {key: np.repeat(values[:1], 2000, 0) for key, values in observations(1)[0].items()}
    best = keys_of(dqn.predict({k: v[:1] for k, v in one.items()})[0], controller._actions)[0]
    made = act(controller, range(2000), one)[0].tolist()
    assert np.mean([action == best for action in made]) == pytest.approx(0.6 + 0.4 / 5, abs=0.04)
    assert len({tuple(action) for action in made}) == len(SET)


def test_a_cnn_policy_of_dqn_acts_like_its_model(tmp_path):
    env = DummyVecEnv([lambda: Still(SPACE["pov"], spaces.Discrete(len(SET)))])
    model = lively(DQN("CnnPolicy", env, buffer_size=8, policy_kwargs=SMALL))
    controller = attached(saved(model, tmp_path), actions=SET)
    seen = observations(1, ["pov"])[0]
    expected = model.predict(seen["pov"], deterministic=True)[0]
    made = act(controller, range(ROWS), seen)[0]
    assert made.tolist() == keys_of(expected, controller._actions)


@pytest.fixture
def recurrent():
    contrib = pytest.importorskip("sb3_contrib")
    kwargs = {**SMALL, "lstm_hidden_size": 8, "n_lstm_layers": 2}
    model = contrib.RecurrentPPO("MultiInputLstmPolicy", env_of(), n_steps=2, policy_kwargs=kwargs)
    return lively(model)


def test_a_recurrent_policy_remembers_each_row_as_its_model_does(recurrent, tmp_path):
    controller = attached(saved(recurrent, tmp_path))
    state, starts, forgetful = None, np.ones(ROWS, bool), []
    for seen in observations():
        expected, state = recurrent.predict(seen, state, starts, deterministic=True)
        starts = np.zeros(ROWS, bool)
        made = act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH]
        assert made.tolist() == expected.tolist()
        forgetful.append(recurrent.predict(seen, deterministic=True)[0].tolist() == made.tolist())
    assert not all(forgetful), "the memory changes actions"


def test_rows_of_a_recurrent_policy_begin_and_act_apart(recurrent, tmp_path):
    """A row forgets its state when it begins an episode; a row that waits keeps its state."""
    controller, alone = (attached(saved(recurrent, tmp_path)) for _ in range(2))
    seen = observations()
    for one in seen[:3]:
        act(controller, range(ROWS), one)
        act(alone, range(ROWS), one)
    controller.begin_episodes([1], [1])
    part = {key: values[[0, 1]] for key, values in seen[3].items()}
    made = act(controller, [0, 1], part)[0][:, :CONTROL_LENGTH]
    fresh, _ = recurrent.predict({k: v[1:] for k, v in part.items()}, deterministic=True)
    assert made[1].tolist() == fresh[0].tolist()
    act(alone, [0, 1], part)
    last = {key: values[[2]] for key, values in seen[4].items()}
    assert act(controller, [2], last)[0].tolist() == act(alone, [2], last)[0].tolist()


def test_drawn_actions_of_a_recurrent_policy_come_from_its_distribution(recurrent, tmp_path):
    controller = attached(saved(recurrent, tmp_path), deterministic=False)
    first = [act(controller, range(ROWS), seen)[0].tolist() for seen in observations()]
    controller.begin_episodes(range(ROWS), range(ROWS))
    assert [act(controller, range(ROWS), seen)[0].tolist() for seen in observations()] == first
    assert len({str(one) for one in first}) > 1


@pytest.mark.parametrize("said", ["option", "file"])
def test_a_policy_of_stacked_frames_sees_what_vecframestack_shows(tmp_path, said):
    stacking = VecFrameStack(env_of(), 4)
    model = lively(PPO("MultiInputPolicy", stacking, n_steps=2, policy_kwargs=SMALL))
    if said == "file":
        model.optimus_gym = {"stack": 4}
    controller = attached(saved(model, tmp_path), **({"stack": 4} if said == "option" else {}))
    seen = observations()
    stacked = stacking.stacked_obs.reset({key: v.copy() for key, v in seen[0].items()})
    differs = False
    for k, one in enumerate(seen):
        if k:
            infos = [{} for _ in range(ROWS)]
            stacked, _ = stacking.stacked_obs.update(one, np.zeros(ROWS, bool), infos)
        expected = model.predict(stacked, deterministic=True)[0]
        made = act(controller, range(ROWS), one)[0][:, :CONTROL_LENGTH]
        assert made.tolist() == expected.tolist()
        fresh = stacking.stacked_obs.__class__(ROWS, 4, space_of(KEYS)).reset(one)
        differs |= model.predict(fresh, deterministic=True)[0].tolist() != made.tolist()
    assert differs, "earlier frames change actions"


def test_a_new_episode_begins_with_an_empty_stack(tmp_path):
    model = lively(
        PPO("MultiInputPolicy", VecFrameStack(env_of(), 4), n_steps=2, policy_kwargs=SMALL)
    )
    controller = attached(saved(model, tmp_path), stack=4)
    seen = observations()
    first = act(controller, range(ROWS), seen[0])[0].tolist()
    for one in seen[1:]:
        act(controller, range(ROWS), one)
    controller.begin_episodes(range(ROWS), range(ROWS))
    assert act(controller, range(ROWS), seen[0])[0].tolist() == first


def test_a_stack_without_the_option_is_refused(tmp_path):
    model = PPO("MultiInputPolicy", VecFrameStack(env_of(), 4), n_steps=2, policy_kwargs=SMALL)
    source = saved(model, tmp_path)
    with pytest.raises(BadValue, match=r"a stack of 4 frames.*set the option stack=4"):
        attached(source)
    with pytest.raises(BadValue, match=r"a stack of 4 frames.*set the option stack=4"):
        attached(source, stack=2)
    with pytest.raises(BadValue, match="expected the environment's observation"):
        attached(source, stack=3)


def test_an_observation_of_another_range_is_refused(tmp_path):
    raw = spaces.Dict(
        {**space_of(KEYS).spaces, "inventory": spaces.Box(0, 2624, SPACE["inventory"].shape)}
    )
    env = DummyVecEnv([lambda: Still(raw, spaces.MultiDiscrete(CONTROL_SIZES))])
    model = PPO("MultiInputPolicy", env, n_steps=2, policy_kwargs=SMALL)
    told = "observation: expected inventory from 0 to 2624, as the model was trained with, got .* 0 to 1 "
    with pytest.raises(BadValue, match=told):
        attached(saved(model, tmp_path))


def test_a_policy_over_sub_goals_is_no_controller(tmp_path):
    env = DummyVecEnv([lambda: Still(SPACE["vitals"], spaces.Discrete(2))])
    model = PPO("MlpPolicy", env, n_steps=2, policy_kwargs=SMALL)
    model.optimus_gym = {"subgoals": ["mine oak_log", "craft stick"]}
    with pytest.raises(BadValue, match="chooses among 2 sub-goals, which the agent 'sb3' plays"):
        attached(saved(model, tmp_path), looks_at=["vitals"])


def normalized(env):
    """Return an environment with uneven statistics of the vitals."""
    scaling = VecNormalize(env, norm_obs_keys=["vitals"], clip_obs=3.0)
    rms = scaling.obs_rms["vitals"]
    rms.mean = np.linspace(-1, 1, rms.mean.size)
    rms.var = np.linspace(0.01, 0.5, rms.mean.size)
    return scaling


@pytest.mark.parametrize("stack", [1, 2])
def test_a_policy_sees_numbers_as_vecnormalize_scales_them(tmp_path, stack):
    env = env_of() if stack == 1 else VecFrameStack(env_of(), stack)
    scaling = normalized(env)
    model = lively(PPO("MultiInputPolicy", scaling, n_steps=2, policy_kwargs=SMALL))
    save_statistics(scaling, tmp_path / "numbers.npz")
    options = {"normalize": str(tmp_path / "numbers.npz"), "stack": stack}
    controller = attached(saved(model, tmp_path), **options)
    plain = attached(saved(model, tmp_path), stack=stack)
    differs = False
    seen = observations()[0]
    shown = seen if stack == 1 else env.stacked_obs.reset({k: v.copy() for k, v in seen.items()})
    expected = model.predict(scaling.normalize_obs(shown), deterministic=True)[0]
    assert act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH].tolist() == expected.tolist()
    differs |= act(plain, range(ROWS), seen)[0][:, :CONTROL_LENGTH].tolist() != expected.tolist()
    assert differs, "the statistics change actions"


def test_statistics_of_a_single_array_belong_to_the_only_key(tmp_path):
    env = DummyVecEnv([lambda: Still(SPACE["vitals"], spaces.MultiDiscrete(CONTROL_SIZES))])
    scaling = VecNormalize(env)
    scaling.obs_rms.mean = np.linspace(0, 1, 6)
    model = lively(PPO("MlpPolicy", scaling, n_steps=2, policy_kwargs=SMALL))
    save_statistics(scaling, tmp_path / "numbers.npz")
    options = {"normalize": str(tmp_path / "numbers.npz"), "looks_at": ["vitals"]}
    controller = attached(saved(model, tmp_path), **options)
    seen = observations(1, ["vitals"])[0]
    expected = model.predict(scaling.normalize_obs(seen["vitals"]), deterministic=True)[0]
    assert act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH].tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        (None, "expected a file of `save_statistics`"),
        ({"mean.vitals": np.zeros(6)}, "expected the arrays epsilon"),
        (
            {
                "epsilon": 1.0,
                "clip_obs": 1.0,
                "mean.vitals": np.zeros(6),
                "var.vitals": [np.nan] * 6,
            },
            "finite numbers in var.vitals",
        ),
        (
            {"epsilon": 1, "clip_obs": 1, "mean.vitals": np.zeros(6), "var.vitals": [-1.0] * 6},
            "numbers of at least 0 in var.vitals",
        ),
        (
            {"epsilon": [1], "clip_obs": 1, "mean.vitals": np.zeros(6), "var.vitals": [1.0] * 6},
            "a number of at least 0 in epsilon",
        ),
        (
            {"epsilon": 1, "clip_obs": 1, "mean.vitals": np.zeros(6), "var.vitals": [1.0] * 5},
            "mean and var of vitals alike in shape",
        ),
    ],
)
def test_files_that_are_no_statistics_are_rejected(tmp_path, arrays, told):
    path = tmp_path / "numbers.npz"
    if arrays is None:
        path.write_bytes(b"no statistics")
    else:
        np.savez(path, **arrays)
    with pytest.raises(BadValue, match=f"normalize: .*{told}"):
        read_statistics(str(path))


def test_statistics_are_read_without_a_pickle(tmp_path):
    path = tmp_path / "numbers.npz"
    np.savez(path, epsilon=np.array([object()]))
    with pytest.raises(BadValue, match="normalize"):
        read_statistics(str(path))


def test_statistics_of_another_shape_are_rejected(tmp_path):
    file = tmp_path / "numbers.npz"
    np.savez(
        file, **{"epsilon": 1, "clip_obs": 1, "mean.vitals": [0.0] * 7, "var.vitals": [1.0] * 7}
    )
    model = PPO("MultiInputPolicy", env_of(), n_steps=2, policy_kwargs=SMALL)
    told = r"of the shape \(6,\) for the key 'vitals', got \(7,\)"
    with pytest.raises(BadValue, match=told):
        attached(saved(model, tmp_path), normalize=str(file))


def test_statistics_of_unseen_keys_are_rejected(tmp_path):
    scaling = normalized(env_of())
    save_statistics(scaling, tmp_path / "numbers.npz")
    model = PPO(
        "CnnPolicy", DummyVecEnv([lambda: Still(SPACE["pov"], spaces.Discrete(5))]), n_steps=2
    )
    with pytest.raises(BadValue, match=r"some of the policy's keys \['pov'\], got \['vitals'\]"):
        attached(saved(model, tmp_path), actions=SET, normalize=str(tmp_path / "numbers.npz"))
    with pytest.raises(BadValue, match="a VecNormalize with norm_obs=True"):
        save_statistics(env_of(), tmp_path / "other.npz")


def test_an_own_features_extractor_is_named_by_the_option(tmp_path):
    kwargs = {
        **SMALL,
        "features_extractor_class": Vitals,
        "features_extractor_kwargs": {"scale": 2.0},
    }
    model = lively(PPO("MultiInputPolicy", env_of(), n_steps=2, policy_kwargs=kwargs))
    path = saved(model, tmp_path)
    controller = attached(path, extractor=f"{__name__}:Vitals")
    seen = observations(1)[0]
    expected = model.predict(seen, deterministic=True)[0]
    assert act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH].tolist() == expected.tolist()
    with pytest.raises(BadValue, match="has no 'Vital'; did you mean 'Vitals'"):
        attached(path, extractor=f"{__name__}:Vital")
    plain = PPO("MultiInputPolicy", env_of(), n_steps=2, policy_kwargs=SMALL)
    with pytest.raises(BadValue, match="extractor: expected None for this model"):
        attached(saved(plain, tmp_path), extractor=f"{__name__}:Vitals")


def test_a_set_of_actions_is_given_as_a_list_or_a_file(dqn, tmp_path):
    path = saved(dqn, tmp_path)
    (tmp_path / "set.json").write_text(json.dumps(SET))
    seen = observations(1)[0]
    made = [
        act(attached(path, actions=given), range(ROWS), seen)[0].tolist()
        for given in (SET, str(tmp_path / "set.json"))
    ]
    assert made[0] == made[1]
    with pytest.raises(BadValue, match="expected the keys of each action for a set of 5"):
        attached(path)
    with pytest.raises(BadValue, match="expected a JSON file"):
        attached(path, actions=str(tmp_path / "none.json"))
    dqn.optimus_gym = {"actions": SET[::-1]}
    with pytest.raises(BadValue, match="expected the 5 actions that the model's file names"):
        attached(saved(dqn, tmp_path), actions=SET)
