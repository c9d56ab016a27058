import numpy as np
import pytest
import torch

from optimus_gym.baselines.behaviour_cloning import begun, train
from optimus_gym.baselines.cloned_policy import batch_of, judged, made_policy
from optimus_gym.baselines.recorded_episodes import (
    Piece,
    Visit,
)
from optimus_gym.controllers.vpt.checkpoint import load_policy
from optimus_gym.core.actions import (
    FORWARD,
    noop,
)
from optimus_gym.core.errors import BadValue
from tests.baselines.cloning import (
    LAYER,
    MEAN,
    given_to,
    write,
)
from tests.controllers.vpt.files import write_steve1, write_vpt
from tests.controllers.vpt.filling import picture

pytest.importorskip("minari")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def visit_of(ticks, goals=0, seed=0):
    drawn = np.random.default_rng(seed)
    frames = torch.stack([picture(int(drawn.integers(100))) for _ in range(ticks)])
    made = (drawn.integers(0, 8641, ticks), drawn.integers(0, 121, ticks))
    vectors = drawn.standard_normal((ticks, goals)).astype(np.float32)
    return Visit(frames, *(torch.from_numpy(one) for one in (*made, vectors)))


@pytest.mark.parametrize("goals", [0, 512])
def test_a_batch_of_chunks_has_the_losses_of_its_episodes(tmp_path, goals):
    folder = write_steve1(tmp_path) if goals else write_vpt(tmp_path)
    names = ("2x.model", "steve1.weights") if goals else ("a.model", "a.weights")
    policy = made_policy(folder / names[0], folder / names[1], 0, bool(goals))
    cpu, visits = torch.device("cpu"), (visit_of(7, goals, 1), visit_of(5, goals, 2))
    state, total = policy.initial_state(2), torch.zeros(4, dtype=torch.float64)
    for start in (0, 4):
        parts = [(v, Piece(0, 0, start, min(start + 4, len(v.buttons)))) for v in visits]
        loss, sums, state = judged(policy, batch_of(parts, cpu), state)
        assert loss.item() == pytest.approx((sums[0] / sums[3]).item())
        total += sums
    assert not any(one.requires_grad for layer in state.layers for one in layer)
    wanted = torch.zeros(4, dtype=torch.float64)
    for visit in visits:
        first = torch.arange(len(visit.buttons))[None] == 0
        aims = visit.goals[None] if goals else None
        made = policy(visit.frames[None], first, policy.initial_state(1), aims)
        pairs = ((made.buttons[0], visit.buttons), (made.camera[0], visit.camera))
        for k, (chances, values) in enumerate(pairs, 1):
            lines = torch.arange(len(values))
            wanted[0] -= chances[lines, values].sum().item()
            wanted[k] += (chances.argmax(-1) == values).sum()
        wanted[3] += len(visit.buttons)
    assert total.tolist() == pytest.approx(wanted.tolist(), rel=1e-5)


def test_an_episodes_loss_does_not_depend_on_the_previous_episode(tmp_path):
    folder = write_vpt(tmp_path)
    policy = made_policy(folder / "a.model", folder / "a.weights", 0, False)
    cpu, state, lost = torch.device("cpu"), policy.initial_state(1), []
    for visit in (visit_of(6, 0, 1), visit_of(3, 0, 2)):
        whole = batch_of([(visit, Piece(0, 0, 0, len(visit.buttons)))], cpu)
        loss, _, state = judged(policy, whole, state)
        lost.append((loss.item(), judged(policy, whole, policy.initial_state(1))[0].item()))
    assert lost[0][0] == lost[0][1]
    assert lost[1][0] == pytest.approx(lost[1][1], rel=1e-6)


def test_training_starts_from_official_files(tmp_path, root):
    write(root)
    folder = write_vpt(tmp_path / "vpt")
    files = {
        "model_file": str(folder / "a.model"),
        "weights_file": str(folder / "a.weights"),
        "size": "",
    }
    plain = begun(given_to(tmp_path, **files))._policy.state_dict()
    aimed = begun(given_to(tmp_path / "g", goals=True, aligner=MEAN, **files))._policy.state_dict()
    official = torch.load(folder / "a.weights", weights_only=True)
    assert all(torch.equal(value, plain[name]) for name, value in official.items())
    assert all(torch.equal(value, aimed[name]) for name, value in official.items())
    assert aimed.keys() - plain.keys() == {LAYER, LAYER.replace("weight", "bias")}
    copied = given_to(tmp_path).file("policy.model").read_bytes()
    assert copied == (folder / "a.model").read_bytes()


def test_training_continues_from_steve1s_weights(tmp_path, root):
    write(root)
    folder = write_steve1(tmp_path / "steve1")
    files = {"model_file": str(folder / "2x.model"), "weights_file": str(folder / "steve1.weights")}
    args = given_to(tmp_path, size="", goals=True, aligner=MEAN, updates=1, **files)
    begun_with = begun(args)._policy.state_dict()
    wanted = load_policy(files["model_file"], files["weights_file"], 512).state_dict()
    assert all(torch.equal(begun_with[name], value) for name, value in wanted.items())
    train(args)
    learnt = load_policy(args.file("policy.model"), args.file("policy.weights"), 512).state_dict()
    assert not torch.equal(learnt[LAYER], wanted[LAYER])


def test_weights_of_another_network_are_refused(tmp_path, root):
    write(root)
    folder = write_steve1(tmp_path / "steve1")
    files = {"model_file": str(folder / "2x.model"), "weights_file": str(folder / "steve1.weights")}
    with pytest.raises(BadValue, match=r"unexpected: net\.mineclip_embed_linear"):
        begun(given_to(tmp_path, size="", **files))


def test_making_new_weights_draws_no_global_random_number(tmp_path, root):
    write(root)
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    begun(given_to(tmp_path))
    assert torch.equal(torch.rand(3), wanted)


def test_the_rival_is_the_most_frequent_action_of_training(tmp_path, root):
    forward = iter(([1] * 12 + [2] * 8, [1] * 5 + [2] * 15))

    def mostly(pov, done):
        done[:] = noop(13)
        done[:, FORWARD] = next(forward)
        return pov, done

    write(root, lengths=(20, 20), change=mostly)
    found = begun(given_to(tmp_path))._rival
    assert (found["buttons"], found["camera"]) == (0.25, 1.0)
    buttons = -(0.25 * np.log((12 + 1 / 8641) / 21) + 0.75 * np.log((8 + 1 / 8641) / 21))
    assert found["loss"] == pytest.approx(buttons - np.log((20 + 1 / 121) / 21))


@pytest.mark.parametrize("content", [b"", b"half", None])
def test_a_damaged_state_is_refused(tmp_path, root, content):
    write(root)
    args = given_to(tmp_path, updates=1)
    train(args)
    if content is None:
        torch.save({"done": 1}, args.file("state.pt"))
    else:
        args.file("state.pt").write_bytes(content)
    with pytest.raises(BadValue, match=r"state: .*state.pt.*delete the file to start again"):
        train(args)
