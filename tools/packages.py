"""Write the list of packages in setup.cfg from the folders that hold an `__init__.py`."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOP = ("optimus_gym", "envs", "wrappers", "baselines")


def packages() -> list[str]:
    """Return the installed names of all packages in the checkout."""
    found = []
    for top in TOP:
        for init in (ROOT / top).rglob("__init__.py"):
            parts = init.parent.relative_to(ROOT).parts
            found.append(".".join(parts if top == "optimus_gym" else ("optimus_gym", *parts)))
    return sorted(found)


if __name__ == "__main__":
    path = ROOT / "setup.cfg"
    listing = "packages =\n" + "".join(f"    {name}\n" for name in packages())
    path.write_text(re.sub(r"packages =\n(?:    \S+\n)+", listing, path.read_text(), count=1))
