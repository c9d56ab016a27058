"""The commands `table` and `ablate` play arms into folders of their own, resume, and can be sharded."""

import pytest

from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.memory.memory_folders import copy_memory, memory_folder
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.cli import main
from optimus_gym.run.results.results_folder import read_results

SMALL = ("--world", "symbolic", "--episodes", "1", "--seed", "40000", "--rows", "8")


def test_an_ablation_is_played_and_resumed(tmp_path, capsys):
    command = ["ablate", "5a", *SMALL, "--out", str(tmp_path / "arms")]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert "Figure 5a" in first
    assert sorted(one.name for one in (tmp_path / "arms").iterdir()) == ["full", "no-memory"]
    rows = read_results(tmp_path / "arms" / "full").rows
    assert len(rows) == 18
    assert "'switches': 'full'" in rows[0].agent
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert read_results(tmp_path / "arms" / "full").rows == rows


def test_a_table_compares_agents_and_may_be_sharded(tmp_path, capsys):
    command = ["table", "15", *SMALL, "--agents", "none,optimus-1", "--out", str(tmp_path)]
    for shard in ("1/2", "2/2"):
        assert main([*command, "--shard", shard]) == 0
    capsys.readouterr()
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "Table 15" in told
    for name in ("none", "optimus-1"):
        results = read_results(tmp_path / name)
        assert len(results.rows) == 25
        assert len(results.parts) == 2  # the last run played nothing


def test_backbones_have_options_of_their_own(tmp_path, capsys):
    several = '["rules", {"name": "fallible", "scale": 3}]'
    command = ["ablate", "5a", *SMALL, "--backbones", several, "--out", str(tmp_path)]
    assert main([*command, "--shard", "1/9"]) == 0
    assert "full with" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 4


def test_a_table_gives_a_memory_to_agents_that_remember(tmp_path, capsys):
    command = ["table", "15", *SMALL, "--agents", "deps,optimus-1", "--memory", "starter"]
    assert main([*command, "--out", str(tmp_path), "--shard", "1/9"]) == 0
    told = capsys.readouterr().out
    assert "deps keeps no memory." in told
    assert "optimus-1 keeps no memory." not in told


def test_sizes_of_a_memory_are_compared(tmp_path, capsys):
    command = ["ablate", "6", *SMALL, "--memory", "starter", "--shard", "1/9"]
    out = tmp_path / "sizes"
    assert main([*command, "--agent", "jarvis-1", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "JARVIS-1, Figure 6" in told
    sizes = ["0", "23", "46", "93", "186"]
    assert all(f"{size} episodes" in told for size in sizes)
    assert sorted(one.name for one in (out / "memories").iterdir()) == sorted(sizes)
    whole = ExperienceStore(memory_folder("starter"), None, writes=False)
    with whole, ExperienceStore(out / "memories" / "23", None, writes=False) as cut:
        oldest = [whole.get(number).key for number in whole.numbers()[:23]]
        assert [cut.get(number).key for number in cut.numbers()] == oldest
    graphs = [read_knowledge(out / "memories" / size).sources for size in sizes]
    assert all(graph == read_knowledge(memory_folder("starter")).sources for graph in graphs)
    assert main([*command, "--agent", "jarvis-1", "--out", str(out)]) == 0, "resumes"
    assert sorted(one.name for one in (out / "memories").iterdir()) == sorted(sizes)
    capsys.readouterr()
    own = tmp_path / "own"
    copy_memory(memory_folder("starter"), own)
    (own / "hdkg.json").unlink()
    other = ["ablate", "6", *SMALL, "--memory", str(own), "--agent", "jarvis-1", "--out", str(out)]
    assert main(other) == 2
    assert "sizes/memories/0' to hold the oldest 0 episodes of" in capsys.readouterr().err
    assert main([*command, "--agent", "deps", "--out", str(tmp_path / "deps")]) == 2
    assert "agent: expected one that keeps a memory, got deps" in capsys.readouterr().err


def test_the_commands_report_a_shard_without_episodes(tmp_path, capsys):
    for command in (["ablate", "5a"], ["evaluate", "--tasks", "Wood"]):
        given = [*command, *SMALL, "--out", str(tmp_path / command[0]), "--shard", "50/60"]
        assert main(given) == 0
        assert "shard 50 of 60 has no episodes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("table", "7"), "unknown table '7'"),
        (("ablate", "9"), "unknown ablation '9'"),
        (("ablate", "2", "--agent", "deps"), "expected optimus-1 without switches"),
        (("table", "1", "--agents", "deps,nobody"), "nobody"),
        (
            ("table", "1", "--agents", "deps,none", "--set", "agent.recipes=false"),
            "agents: expected no",
        ),
        (
            ("ablate", "5a", "--backbones", "rules,fallible", "--error-scale", "2"),
            "backbones: expected no",
        ),
        (("ablate", "5a", "--backbones", "rules,openai"), "backbone 'openai'"),
        (("ablate", "5a", "--backbones", "[rules"), "backbones"),
        (("ablate", "6"), "memory: expected a memory for JARVIS-1, Figure 6"),
        (("ablate", "3"), "memory: expected a memory for Optimus-1, Table 3"),
    ],
)
def test_bad_arguments_are_reported(tmp_path, capsys, command, told):
    assert main([*command, *SMALL, "--out", str(tmp_path)]) == 2
    assert told in capsys.readouterr().err
