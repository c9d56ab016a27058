"""`benchmarks/lands.py` runs in its smallest size: two training episodes and one validation episode."""

import importlib.util
from pathlib import Path

from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.vision.mini_aligner import MiniAligner

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "lands.py"
SPEC = importlib.util.spec_from_file_location("lands", PATH)
lands = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lands)


def test_plans_name_the_wood_of_their_trial():
    bowl, _ = lands.Trial("bowl", "taiga", "birch", "spruce").plans
    assert bowl[0] == ("mine", "birch_log", 2)
    assert bowl[-1] == ("craft", "bowl", 4)
    (stick,) = lands.Trial("stick", "desert", "dead_bush").plans
    assert stick == (("mine", "stick", 1),)


def test_training_fills_a_memory_that_leads_to_the_goal(tmp_path, monkeypatch, capsys):
    bushes = (
        lands.Trial("stick", "desert", "dead_bush"),
        lands.Trial("stick", "forest", "dead_bush"),
    )
    monkeypatch.setattr(lands, "TRIALS", bushes)
    monkeypatch.setattr(lands, "TASKS", (("StickDesert", "stick", "desert"),))
    shown = [
        "--episodes",
        "1",
        "--rounds",
        "1",
        "--kinds",
        "unaided",
        "--arms",
        "whole",
        "without sight",
    ]
    lands.main(["--work", str(tmp_path), *shown])
    with ExperiencePool(tmp_path / "memory", MiniAligner(), writes=False) as pool:
        kept = [pool.get(number) for number in (1, 2)]
    assert [one.environment for one in kept] == ["desert", "forest"]
    assert [one.outcome for one in kept] == ["success", "failure"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-4:-1]] == ["unaided", "StickDesert", "whole"]
    assert "100.0 %" in lines[-2]
