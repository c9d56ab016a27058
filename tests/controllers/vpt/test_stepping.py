"""Rows in a batch give the same outputs as each row alone, with and without guidance."""

import copy
import shutil

import numpy as np
import pytest
import torch

from optimus_gym.controllers.vpt import VPTPolicy
from optimus_gym.controllers.vpt.stepping import Stepper, drawn_values
from optimus_gym.core.errors import BadValue
from tests.controllers.vpt.filling import filled, picture

ROWS, TICKS = 3, 40
"""More ticks than twice the memory of 16, so that the ring buffers wrap around."""


@pytest.fixture(scope="module")
def aimed():
    return filled(VPTPolicy(64, 4, 1, 2, 24, 8, goal_dim=512))


@pytest.fixture(scope="module")
def plain():
    return filled(VPTPolicy(64, 4, 1, 2, 24, 8))


@pytest.fixture(scope="module")
def pictures():
    frames = [torch.stack([picture(100 * row + t) for row in range(ROWS)]) for t in range(TICKS)]
    return torch.stack(frames)


def goals():
    return torch.randn(ROWS, 512, generator=torch.Generator().manual_seed(3))


def everybody():
    return torch.ones(ROWS, dtype=torch.bool)


def alone(policy, pictures, goal=None):
    """Yield a policy's outputs for one row's ticks, with its own concatenated cache."""
    state = policy.initial_state(1)
    for seen in pictures:
        given = None if goal is None else goal[None, None]
        with torch.no_grad():  # ends before `yield`, so that the caller keeps its gradients
            out = policy(seen[None, None], torch.zeros(1, 1, dtype=torch.bool), state, given)
        state = out.state
        yield out.buttons[0, 0], out.camera[0, 0]


def test_rows_without_goals_agree_with_a_row_alone(plain, pictures):
    stepper = Stepper(plain, ROWS)
    made = [stepper.step(seen, everybody()) for seen in pictures]
    for row in range(ROWS):
        for out, (buttons, camera) in zip(made, alone(plain, pictures[:, row]), strict=True):
            assert torch.allclose(out.buttons[row], buttons, atol=1e-4)
            assert torch.allclose(out.camera[row], camera, atol=1e-4)


@pytest.mark.parametrize("guidance", [0.0, 6.0])
def test_rows_with_goals_and_guidance_agree_with_a_row_alone(aimed, pictures, guidance):
    stepper = Stepper(aimed, ROWS, guided=True)
    for row, goal in enumerate(goals()):
        stepper.aim(row, goal, guidance)
    made = [stepper.step(seen, everybody()) for seen in pictures]
    for row, goal in enumerate(goals()):
        here = pictures[:, row]
        pairs = zip(alone(aimed, here, goal), alone(aimed, here, torch.zeros(512)), strict=True)
        for out, (towards, nowhere) in zip(made, pairs, strict=True):
            for found, one, other in zip(out, towards, nowhere, strict=True):
                wanted = (1 + guidance) * one - guidance * other
                assert torch.allclose(found[row], wanted, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_compiled_tick_gives_the_same_outputs(aimed, pictures, device):
    if not (shutil.which("g++") if device == "cpu" else torch.cuda.is_available()):
        pytest.skip(f"nothing compiles for {device} here")
    policy = copy.deepcopy(aimed).to(device)
    made = []
    for compiled in (False, True):
        stepper = Stepper(policy, ROWS, guided=True, compiled=compiled)
        draws, said = np.random.default_rng(1), []
        for tick, seen in enumerate(pictures):
            if tick % 10 == 0:
                stepper.aim(tick % ROWS, goals()[tick % ROWS], 6.0)
            if tick == 25:
                stepper.forget([1])
            acting = torch.from_numpy(draws.random(ROWS) < 0.8)
            chances = stepper.step(seen.to(device), acting.to(device))
            said.append([part.cpu()[acting] for part in chances])
        made.append(said)
    for plain_tick, compiled_tick in zip(*made, strict=True):
        for one, other in zip(plain_tick, compiled_tick, strict=True):
            assert torch.allclose(one, other, atol=2e-3)


def test_float32_keeps_its_precision_on_a_gpu_and_the_users_setting_returns(plain, pictures):
    seen = []
    stepper = Stepper(plain, ROWS)
    evaluate = stepper._evaluate
    stepper._evaluate = lambda *given: (
        seen.append(torch.backends.cudnn.allow_tf32),
        evaluate(*given),
    )[1]
    before = torch.backends.cudnn.allow_tf32
    stepper.step(pictures[0], everybody())
    assert seen == [False]
    assert torch.backends.cudnn.allow_tf32 == before


def test_a_row_that_does_not_act_keeps_its_state(plain, pictures):
    stepper = Stepper(plain, ROWS)
    wanted = list(alone(plain, pictures[:20, 1]))
    resting, done = np.random.default_rng(0).random(TICKS) < 0.4, 0
    for tick in range(TICKS):
        acts = not resting[tick] and done < len(wanted)
        seen = pictures[tick].clone()
        seen[1] = pictures[done, 1] if acts else 0
        acting = torch.tensor([True, acts, True])
        out = stepper.step(seen, acting)
        if acts:
            assert torch.allclose(out.buttons[1], wanted[done][0], atol=1e-4)
            done += 1
    assert done == len(wanted)


def test_a_row_that_forgets_starts_again_and_the_other_rows_continue(plain, pictures):
    stepper = Stepper(plain, ROWS)
    for seen in pictures[:20]:
        stepper.step(seen, everybody())
    stepper.forget([2])
    made = [stepper.step(seen, everybody()) for seen in pictures[20:]]
    fresh = list(alone(plain, pictures[20:, 2]))
    going = list(alone(plain, pictures[:, 0]))[20:]
    for out, (new, _), (old, _) in zip(made, fresh, going, strict=True):
        assert torch.allclose(out.buttons[2], new, atol=1e-4)
        assert torch.allclose(out.buttons[0], old, atol=1e-4)


def test_a_row_in_a_batch_draws_the_same_values_as_a_row_alone(aimed, pictures):
    together, one = Stepper(aimed, ROWS, guided=True), Stepper(aimed, 1, guided=True)
    together.aim(1, goals()[1], 6.0)
    one.aim(0, goals()[1], 6.0)
    numbers = torch.from_numpy(np.random.default_rng(1).random((TICKS, ROWS)))
    for seen, number in zip(pictures, numbers, strict=True):
        out = together.step(seen, everybody())
        single = one.step(seen[1:2], torch.ones(1, dtype=torch.bool))
        for many, few in zip(out, single, strict=True):
            assert drawn_values(many, number)[1] == drawn_values(few, number[1:2])[0]


def test_values_are_drawn_with_their_probabilities():
    chances = torch.log(torch.tensor([0.0, 0.125, 0.5, 0.25, 0.125, 0.0]))
    numbers = (torch.arange(8000, dtype=torch.float64) + 0.5) / 8000
    found = drawn_values(chances.expand(8000, -1) + 5.0, numbers)
    assert torch.bincount(found, minlength=6).tolist() == [0, 1000, 4000, 2000, 1000, 0]
    ends = torch.tensor([0.0, np.nextafter(1.0, 0.0)], dtype=torch.float64)
    assert drawn_values(chances.expand(2, -1), ends).tolist() == [1, 4]


def test_wrong_policies_rows_goals_and_guidance_are_rejected(aimed, plain):
    with pytest.raises(BadValue, match="guided: expected a policy with goals"):
        Stepper(plain, 1, guided=True)
    with pytest.raises(BadValue, match="rows: expected at least one, got 0"):
        Stepper(plain, 0)
    stepper = Stepper(aimed, 1, guided=True)
    with pytest.raises(BadValue, match=r"goal: expected float \(512,\), got \(5,\)"):
        stepper.aim(0, torch.zeros(5))
    with pytest.raises(BadValue, match="guidance: expected a number of at least 0, got -1"):
        stepper.aim(0, torch.zeros(512), -1.0)
    with pytest.raises(BadValue, match="goal: expected float"):
        Stepper(plain, 1).aim(0, torch.zeros(512))
