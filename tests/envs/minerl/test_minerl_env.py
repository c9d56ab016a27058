from dataclasses import replace

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue, UnknownName, WorldFailed
from optimus_gym.seeds import TRAIN
from optimus_gym.worlds.malmo.framing import PeerGone
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.reports import Location, Report, WireStack, Worn
from tests.envs.minerl.conftest import ScriptedGame, make

SNOWBALL = Report(stacks=(WireStack(0, "snowball", 1),))


def picture(width=64, height=64):
    return np.arange(width * height * 3, dtype=np.uint8).reshape(height, width, 3)


def play(env, ticks, action=None):
    """Reset and step; return the rewards, and the tick at which the episode ended with its two ends."""
    env.reset(seed=1)
    rewards = []
    for tick in range(1, ticks + 1):
        _, reward, terminated, truncated, _ = env.step(action or {})
        rewards.append(reward)
        if terminated or truncated:
            return rewards, tick, (terminated, truncated)
    return rewards, None, (False, False)


def test_the_games_reward_and_end_are_passed_on():
    shown = picture()
    script = [WireMoment(shown, Report()), WireMoment(shown, Report(), 16.0)]
    script.append(WireMoment(shown, Report(), 1024.0, done=True))
    env = make("MineRL/ObtainDiamond-v0", game=lambda: ScriptedGame(*script))
    assert play(env, 5) == ([16.0, 1024.0], 2, (True, False))


def test_an_episode_is_truncated_after_its_ticks():
    env = make("MineRL/Treechop-v0", ticks=3).unwrapped
    assert play(env, 9)[1:] == (3, (False, True))
    with pytest.raises(ResetNeeded):
        env.step({})


def test_an_episode_that_ends_in_its_last_tick_is_not_truncated():
    last = WireMoment(picture(), Report(), 1024.0, done=True)
    env = make("MineRL/ObtainDiamond-v0", game=lambda: ScriptedGame(Report(), last), ticks=1)
    assert play(env.unwrapped, 9)[1:] == (1, (True, False))


def test_the_key_esc_ends_basalt_of_version_1():
    env = make("MineRL/BasaltFindCave-v0")
    assert play(env, 3)[1] is None
    assert play(env, 3, {"ESC": 1})[1:] == (1, (True, False))


def test_the_key_esc_ends_no_other_task():
    assert play(make("MineRL/ObtainDiamondShovel-v0"), 3, {"ESC": 1})[1] is None


def test_a_thrown_snowball_ends_basalt_of_version_0_4_4_after_eleven_ticks():
    env = make(
        "MineRL/BasaltFindCave-v0",
        version="0.4.4",
        game=lambda: ScriptedGame(SNOWBALL, SNOWBALL, Report()),
    )
    assert play(env, 40)[1:] == (13, (True, False))


def test_the_use_of_a_snowball_in_hand_counts_as_thrown():
    held = replace(SNOWBALL, worn={"mainhand": Worn("snowball")})
    env = make("MineRL/BasaltFindCave-v0", version="0.4.4", game=lambda: ScriptedGame(held))
    assert play(env, 40, {"use": 1})[1:] == (12, (True, False))


def test_a_snowball_that_is_not_in_hand_is_not_thrown():
    env = make("MineRL/BasaltFindCave-v0", version="0.4.4", game=lambda: ScriptedGame(SNOWBALL))
    assert play(env, 40, {"use": 1})[1] is None


def test_a_kept_snowball_ends_nothing():
    env = make("MineRL/BasaltFindCave-v0", version="0.4.4", game=lambda: ScriptedGame(SNOWBALL))
    assert play(env, 40)[1] is None


def test_logs_of_all_kinds_are_rewarded_once_in_treechop_of_version_1():
    held = [(0, 0), (2, 0), (1, 0), (1, 2), (40, 23), (40, 24), (0, 0)]
    script = [
        Report(stacks=(WireStack(0, "oak_log", oaks), WireStack(3, "birch_log", birches)))
        for oaks, birches in held
    ]
    env = make("MineRL/Treechop-v0", version="1.0", game=lambda: ScriptedGame(*script))
    assert play(env, 9) == ([2.0, 0.0, 1.0, 60.0, 1.0], 5, (True, False))


def test_the_diamond_shovel_ends_its_task():
    shovel = Report(stacks=tuple(WireStack(k, n, 3) for k, n in enumerate(("stick", "diamond"))))
    done = Report(stacks=(WireStack(0, "diamond_shovel", 1),))
    env = make("MineRL/ObtainDiamondShovel-v0", game=lambda: ScriptedGame(Report(), shovel, done))
    assert play(env, 9) == ([1028.0, 2048.0], 2, (True, False))


def test_info_has_the_monitors_of_human_survival():
    report = Report(screen_open=True, location=Location(x=1.5, yaw=270.0))
    env = make("MineRL/HumanSurvival-v0", game=lambda: ScriptedGame(report)).unwrapped
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert len(observation) == 15
    assert info["isGuiOpen"] is True
    assert float(info["location_stats"]["xpos"]) == 1.5
    assert float(info["location_stats"]["yaw"]) == -90.0
    assert make("MineRL/ObtainDiamond-v0").reset(seed=1)[1] == {}


def test_the_seed_reaches_the_game():
    game = ScriptedGame()
    env = make("MineRL/Navigate-v0", game=lambda: game, resolution=(32, 16))
    env.reset(seed=77)
    env.reset()
    env.reset(seed=77)
    env.reset()
    seeds = [seed for _, seed in game.begun]
    assert seeds[0] == seeds[2] == 77
    assert seeds[1] == seeds[3] in TRAIN
    mission = game.begun[0][0]
    assert (mission.width, mission.height, mission.name) == (32, 16, "MineRLNavigate-v0")


def test_a_breakdown_truncates_the_episode_and_the_next_reset_opens_a_new_game():
    games = []

    def opened():
        games.append(ScriptedGame(Report(), Report(), PeerGone("expected more")))
        return games[-1]

    env = make("MineRL/Treechop-v0", game=opened)
    first, _ = env.reset(seed=1)
    seen, *_ = env.step({})
    again, reward, terminated, truncated, info = env.step({})
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["error"] == "expected more"
    assert np.array_equal(again["pov"], seen["pov"])
    assert np.array_equal(env.reset(seed=1)[0]["pov"], first["pov"])
    assert [game.closed for game in games] == [1, 0]


def test_a_reset_raises_the_reason_why_a_game_cannot_begin():
    env = make("MineRL/Treechop-v0", game=lambda: ScriptedGame(TimeoutError("nobody is there")))
    with pytest.raises(WorldFailed, match="nobody is there"):
        env.reset(seed=1)


def test_render_shows_the_latest_picture():
    env = make("MineRL/Treechop-v0", render_mode="rgb_array")
    with pytest.raises(ResetNeeded):
        env.unwrapped.render()
    seen, _ = env.reset(seed=1)
    shown = env.render()
    assert np.array_equal(shown, seen["pov"])
    assert not np.shares_memory(shown, seen["pov"])


@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"version": "2.0"}, "version of MineRL for Treechop"),
        ({"resolution": (0, 64)}, "resolution: expected an integer from 1 to 4096, got 0"),
        ({"resolution": 64}, "resolution: expected width and height, got 64"),
        ({"ticks": 0}, "ticks: expected an integer of at least 1, got 0"),
        ({"game": 9000}, "game: expected 'host:port', a function or None, got 9000"),
        ({"game": "9000"}, "host:port"),
        ({"render_mode": "ansi"}, "render_mode: expected None or 'rgb_array', got 'ansi'"),
    ],
)
def test_arguments_are_checked(arguments, said):
    with pytest.raises((BadValue, UnknownName), match=said):
        make("MineRL/Treechop-v0", **{"game": ScriptedGame, **arguments}).reset(seed=1)


def test_reset_options_and_seeds_are_checked():
    env = make("MineRL/Treechop-v0").unwrapped
    with pytest.raises(BadValue, match="options: expected none"):
        env.reset(options={"biome": "plains"})
    with pytest.raises(BadValue, match="seed: expected an integer"):
        env.reset(seed=-1)
