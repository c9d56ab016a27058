"""Make links to the sources under .layout/, in the installed layout: mypy cannot use import hooks."""

import shutil
from pathlib import Path

root = Path(__file__).resolve().parents[1]
package = root / ".layout" / "optimus_gym"
shutil.rmtree(package.parent, ignore_errors=True)
package.mkdir(parents=True)
for path in (root / "optimus_gym").iterdir():
    (package / path.name).symlink_to(path)
for name in ("envs", "wrappers", "baselines"):
    (package / name).symlink_to(root / name)
