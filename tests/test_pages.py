"""What a newcomer copies from the pages: commands that can be carried out, one after the other."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pip_installs_from_the_checkout(page):
    """No index has the package, so `optimus-gym[extra]` and `pip install optimus-gym` find nothing."""
    text = page.read_text("utf-8")
    assert not re.search(r"pip install ['\"]?optimus-gym", text)
    assert "optimus-gym[" not in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_block_deletes_what_it_has_made(page):
    for block in re.findall(r"```bash\n(.*?)```", page.read_text("utf-8"), re.S):
        assert "cache --clear" not in block
