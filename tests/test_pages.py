"""README and the pages are complete and short, and their blocks run and do no harm."""

import ast
import re
from pathlib import Path
from types import SimpleNamespace

import gymnasium as gym
import pytest

import optimus_gym  # noqa: F401  registers the ids

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
MOST_BYTES = 8_192
"""Largest size of README, which a stranger reads before the first run."""
BLOCK = re.compile(r"(<!-- not run: [^>]+ -->\n)?^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A Python block, and the comment that keeps it from being run."""
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def remembered():
    """Make the memory folder of the page's commands, with one episode of the symbolic world."""
    env = gym.make("Optimus-Stone-v0", world="symbolic", memory="DIR", learn=True)
    env.reset(seed=100_000)
    while not any(env.step(0)[2:4]):  # it knows no way and gives up
        pass
    env.close()
    return {}


GIVEN = {
    "controllers": lambda: {"model": SimpleNamespace(save=print)},  # a trained model
    "memory": remembered,
}
"""Makers of the names that a page's first block finds, by the page's name."""


def blocks(page):
    """Return (whether the test runs it, code) for each Python block of a page."""
    return [(not note, code) for note, code in BLOCK.findall(page.read_text("utf-8"))]


@each_page
def test_pages_install_from_the_checkout_only(page):
    """No index has the package, so `optimus-gym[extra]` and `pip install optimus-gym` find nothing."""
    text = page.read_text("utf-8")
    assert not re.search(r"pip install ['\"]?optimus-gym", text)
    assert "optimus-gym[" not in text


@each_page
def test_no_block_deletes_the_cache(page):
    for block in re.findall(r"```(?:bash|sh)\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        assert "cache --clear" not in block


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: page.stem
)
def test_the_python_blocks_of_a_page_run_in_order(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page", **GIVEN.get(page.stem, dict)()}
    for is_run, code in blocks(page):
        made = compile(ast.parse(code, page.name), page.name, "exec")
        if is_run:
            exec(made, names)
    for value in names.values():
        if isinstance(value, gym.Env | gym.vector.VectorEnv):
            value.close()


def test_only_three_pages_have_blocks_that_are_not_run():
    left_out = {page.stem for page in PAGES for is_run, _ in blocks(page) if not is_run}
    assert left_out <= {"README", "minerl", "train"}


def test_readme_is_short_and_begins_with_a_picture_and_two_commands():
    text = README.read_text("utf-8")
    assert len(text.encode()) <= MOST_BYTES
    picture, commands = re.search(r"!\[[^\]]+\]\((.+?)\)", text), text.index("```bash\n")
    assert picture.start() < commands < 1_000
    assert (ROOT / picture[1]).stat().st_size < 1_500_000
    block = text[commands:].split("```")[1].splitlines()[1:]
    assert block == [
        "pip install -e . && optimus-gym run Optimus-Diamond-v0 --seed 0 --video diamond.mp4",
        "bash .ci/run",
    ]


def test_readme_says_that_the_default_controller_is_privileged():
    limits = README.read_text("utf-8").split("## Limitations")[1].split("##")[0]
    assert "**privileged**" in limits
    assert "(docs/limitations.md)" in limits


def test_the_index_lists_every_page():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\((\w+\.md)\)", index))


def test_blocks_marked_as_not_run_are_recognized(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n<!-- not run: slow -->\n```python\ny = x / 0\n```\n")
    assert blocks(page) == [(True, "x = 1\n"), (False, "y = x / 0\n")]
