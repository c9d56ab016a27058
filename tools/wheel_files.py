"""Compare a wheel's files with the checkout's: `python tools/wheel_files.py FILE.whl`."""

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOP = ("optimus_gym", "envs", "wrappers", "baselines")


def of_checkout() -> set[str]:
    """Return the paths that the checkout's files of the package have once installed."""
    found = set()
    for top in TOP:
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                inner = path.relative_to(ROOT).as_posix()
                found.add(inner if top == "optimus_gym" else f"optimus_gym/{inner}")
    return found


def of_wheel(path: str) -> set[str]:
    """Return the wheel's files without its metadata."""
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


if __name__ == "__main__":
    checkout, wheel = of_checkout(), of_wheel(sys.argv[1])
    for name in sorted(checkout ^ wheel):
        print(name, "is missing in the wheel" if name in checkout else "is only in the wheel")
    sys.exit(checkout != wheel)
