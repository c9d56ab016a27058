"""VPT's network agrees with the public network in outputs, names, shapes and counts."""

import pytest
import torch

from optimus_gym.controllers.vpt import VPTPolicy
from optimus_gym.controllers.vpt.policy import MODEL_SIZES
from optimus_gym.core.errors import BadValue, UnknownName
from tests.controllers.vpt.filling import filled, picture

CLOSE = 1e-3
SEEN = {
    0: (
        [-9.22079, -8.95669, -9.86948, -9.67789], 4271,
        [-5.44525, -5.55663, -5.64068], 76, 2.36803, [1.49418, 1.33504, -0.83289, -0.16466],
    ),
    1: (
        [-8.97127, -8.38140, -8.20487, -9.35979], 4517,
        [-4.64219, -5.12293, -5.09674], 116, 7.68545, [0.50072, 2.32069, -0.91857, 0.11372],
    ),
    7: (
        [-9.28341, -8.81461, -9.17820, -8.44403], 8442,
        [-5.26582, -5.68576, -5.66561], 6, 3.07138, [2.41488, 1.14195, -0.84240, 1.77511],
    ),
    19: (
        [-7.97254, -9.35047, -9.08326, -9.38525], 6701,
        [-4.87474, -4.66000, -4.67797], 116, 7.23596, [0.90080, 2.09344, -0.55625, -0.89646],
    ),
}  # fmt: skip
"""Outputs of the public network at some ticks of the tiny size: buttons 0, 1, 288 and 8640, the likeliest;
the camera's bins 0, 60 and 120, the likeliest; value; four features of what the heads read."""
BUTTONS, CAMERA = [0, 1, 288, 8640], [0, 60, 120]


def tiny(**more):
    return VPTPolicy(64, 4, 1, 2, 24, 8, **more)


def close(found, wanted):
    return torch.allclose(found, torch.tensor(wanted), atol=CLOSE)


def no_first(*shape):
    return torch.zeros(shape, dtype=torch.bool)


@pytest.fixture(scope="module")
def policy():
    return filled(tiny())


@pytest.fixture(scope="module")
def steps(policy):
    state, made = policy.initial_state(1), []
    with torch.no_grad():
        for tick in range(20):
            made.append(policy(picture(tick)[None, None], no_first(1, 1), state))
            state = made[-1].state
    return made


@pytest.mark.parametrize("tick", SEEN)
def test_each_tick_agrees_with_the_public_network(steps, tick):
    buttons, likeliest, camera, turn, value, latent = SEEN[tick]
    out = steps[tick]
    assert close(out.buttons[0, 0, BUTTONS], buttons)
    assert close(out.camera[0, 0, CAMERA], camera)
    assert (out.buttons.argmax().item(), out.camera.argmax().item()) == (likeliest, turn)
    assert out.value.item() == pytest.approx(value, abs=CLOSE)
    assert close(out.latent[0, 0, :4], latent)


def test_the_trunk_agrees_with_the_public_network(policy):
    with torch.no_grad():
        features = policy.net.img_process(picture(0)[None])[0, :4]
    assert close(features, [2.92610, 0.0, 0.0, 1.05047])


def test_a_chunk_agrees_with_the_public_network_and_a_new_episode_may_follow(policy):
    pictures = torch.stack([picture(tick) for tick in range(8)])[None]
    with torch.no_grad():
        chunk = policy(pictures, no_first(1, 8), policy.initial_state(1))
        after = policy(picture(8)[None, None], ~no_first(1, 1), chunk.state)
        fresh = policy(picture(8)[None, None], no_first(1, 1), policy.initial_state(1))
    assert close(chunk.buttons[0, 7, BUTTONS], [-9.28341, -8.81464, -9.17820, -8.44399])
    assert close(after.buttons[0, 0, BUTTONS], [-9.50172, -8.65000, -8.99227, -8.59604])
    assert torch.allclose(after.buttons, fresh.buttons, atol=1e-5)


@pytest.mark.parametrize("lengths", [(20,), (3, 17), (1, 6, 6, 7), (8, 8, 4)])
def test_chunks_of_any_length_give_the_same_outputs(policy, steps, lengths):
    state, begin = policy.initial_state(1), 0
    with torch.no_grad():
        for length in lengths:
            pictures = torch.stack([picture(begin + k) for k in range(length)])[None]
            out = policy(pictures, no_first(1, length), state)
            state = out.state
            for k in range(length):
                wanted = steps[begin + k].buttons[0, 0]
                assert torch.allclose(out.buttons[0, k], wanted, atol=1e-4)
            begin += length


def test_ticks_older_than_the_memory_are_forgotten(policy):
    """A block sees 16 ticks, so two blocks reach back 31 ticks and no further."""
    odd, states = picture(99), []
    with torch.no_grad():
        for start in (odd, picture(0)):
            state = policy.initial_state(1)
            outs = []
            for tick in range(33):
                shown = start if tick == 0 else picture(tick)
                outs.append(policy(shown[None, None], no_first(1, 1), state))
                state = outs[-1].state
            states.append([out.latent[0, 0] for out in outs])
    apart = [(one - other).abs().max().item() for one, other in zip(*states, strict=True)]
    assert min(apart[:16]) > 1e-4
    assert max(apart[31:]) == 0.0


@pytest.mark.parametrize(
    ("size", "goal_dim", "count", "entries"),
    [
        ("1x", None, 70_998_654, 134),
        ("2x", None, 248_495_294, 134),
        ("3x", None, 532_504_318, 134),
        ("2x", 512, 249_545_918, 136),
    ],
)
def test_published_sizes_have_the_public_numbers_of_parameters(size, goal_dim, count, entries):
    with torch.device("meta"):
        made = VPTPolicy.from_size(size, goal_dim)
    state = made.state_dict()
    assert len(state) == entries
    assert sum(value.numel() for value in state.values()) == count


def listed(hidsize, heads, width):
    """Return every name and shape of a published size, from the layout of the public modules."""
    found = {}

    def normed(name, inside):
        found[f"{name}.weight"] = found[f"{name}.bias"] = (inside,)

    channels = [3, 16 * width, 32 * width, 32 * width]
    cnn = "net.img_process.cnn"
    for k in range(3):
        stack, inside, outside = f"{cnn}.stacks.{k}", channels[k], channels[k + 1]
        found[f"{stack}.firstconv.layer.weight"] = (outside, inside, 3, 3)
        if k == 0:
            found[f"{stack}.firstconv.layer.bias"] = (outside,)
        else:
            normed(f"{stack}.firstconv.norm", inside)
        normed(f"{stack}.n", outside)
        for part in ("blocks.0.conv0", "blocks.0.conv1", "blocks.1.conv0", "blocks.1.conv1"):
            normed(f"{stack}.{part}.norm", outside)
            found[f"{stack}.{part}.layer.weight"] = (outside, outside, 3, 3)
    normed(f"{cnn}.dense.norm", channels[3] * 256)
    found[f"{cnn}.dense.layer.weight"] = (256, channels[3] * 256)
    normed("net.img_process.linear.norm", 256)
    found["net.img_process.linear.layer.weight"] = (hidsize, 256)
    for k in range(4):
        block = f"net.recurrent_layer.blocks.{k}"
        attention = f"{block}.r.orc_block"
        normed(f"{block}.pre_r_ln", hidsize)
        for name in ("q_layer", "k_layer", "v_layer", "proj_layer"):
            found[f"{attention}.{name}.weight"] = (hidsize, hidsize)
        for name in ("q_layer", "proj_layer"):
            found[f"{attention}.{name}.bias"] = (hidsize,)
        found[f"{attention}.r_layer.weight"] = (10 * heads, hidsize)
        found[f"{attention}.r_layer.bias"] = (10 * heads,)
        found[f"{attention}.b_nd"] = (10, 128)
        normed(f"{block}.mlp0.norm", hidsize)
        found[f"{block}.mlp0.layer.weight"] = (4 * hidsize, hidsize)
        found[f"{block}.mlp1.layer.weight"] = (hidsize, 4 * hidsize)
        found[f"{block}.mlp1.layer.bias"] = (hidsize,)
    normed("net.lastlayer.norm", hidsize)
    found["net.lastlayer.layer.weight"] = (hidsize, hidsize)
    normed("net.final_ln", hidsize)
    for head, values in (
        ("value_head.linear", 1),
        ("pi_head.camera.linear_layer", 121),
        ("pi_head.buttons.linear_layer", 8641),
    ):
        found[f"{head}.weight"], found[f"{head}.bias"] = (values, hidsize), (values,)
    for name in ("running_mean", "running_mean_sq"):
        found[f"value_head.normalizer.{name}"] = (1,)
    found["value_head.normalizer.debiasing_term"] = ()
    return found


@pytest.mark.parametrize("size", MODEL_SIZES)
def test_names_and_shapes_are_the_public_ones(size):
    with torch.device("meta"):
        state = VPTPolicy.from_size(size).state_dict()
    assert {name: tuple(value.shape) for name, value in state.items()} == listed(*MODEL_SIZES[size])


def test_a_goal_enters_after_the_trunk():
    aimed = filled(tiny(goal_dim=512))
    goal = torch.randn(1, 1, 512, generator=torch.Generator().manual_seed(0))
    seen = picture(0)[None, None]
    with torch.no_grad():
        one, other = (
            aimed(seen, no_first(1, 1), aimed.initial_state(1), part).latent
            for part in (goal, torch.zeros_like(goal))
        )
        weights = aimed.net.mineclip_embed_linear
        weights.weight.zero_()
        weights.bias.zero_()
        plain = aimed(seen, no_first(1, 1), aimed.initial_state(1), goal).latent
        alone = filled(tiny())
        wanted = alone(seen, no_first(1, 1), alone.initial_state(1)).latent
    assert (one - other).abs().max() > 1e-2
    assert torch.equal(plain, wanted)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"hidsize": 65}, "hidsize: expected a multiple of attention_heads, got 65 for 4"),
        ({"timesteps": 24}, "timesteps: expected 1 to attention_memory_size - 1 .23., got 24"),
        ({"temperature": 0.0}, "temperature: expected a number above 0, got 0.0"),
    ],
)
def test_impossible_sizes_are_rejected(arguments, told):
    given = {
        "hidsize": 64, "attention_heads": 4, "impala_width": 1, "attention_memory_size": 24,
        "timesteps": 8,
    }  # fmt: skip
    with pytest.raises(BadValue, match=told):
        VPTPolicy(**{**given, **arguments})
    with pytest.raises(UnknownName, match="size"):
        VPTPolicy.from_size("4x")


def test_inputs_of_wrong_shapes_and_types_are_rejected(policy):
    good, state = picture(0)[None, None], policy.initial_state(1)
    cases = [
        ((good.float(), no_first(1, 1), state), "img: expected uint8"),
        ((good[:, :, :64], no_first(1, 1), state), "img: expected uint8"),
        ((good, no_first(1, 2), state), "first: expected bool"),
        ((good, no_first(1, 1).float(), state), "first: expected bool"),
        ((good, no_first(1, 1), state, torch.zeros(1, 1, 512)), "goal: expected None"),
    ]
    for arguments, told in cases:
        with pytest.raises(BadValue, match=told):
            policy(*arguments)
    twice, late = torch.cat([good, good], 1), torch.tensor([[False, True]])
    with pytest.raises(BadValue, match="got True for a later frame"):
        policy(twice, late, state)
    aimed = tiny(goal_dim=512)
    for goal in (None, torch.zeros(1, 1, 5)):
        with pytest.raises(BadValue, match="goal: expected"):
            aimed(good, no_first(1, 1), state, goal)
