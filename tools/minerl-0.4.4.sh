#!/usr/bin/env bash
# Install MineRL 0.4.4 beside optimus-gym, without Java and Gradle: bash tools/minerl-0.4.4.sh [PYTHON]
#
# PYTHON is the interpreter of an environment of its own (default: python), with Python 3.11. MineRL 0.4.4 needs NumPy
# below 2 and old build tools, so the script changes both in that environment. docs/minerl.md says how to go on.
set -euo pipefail
python=${1:-python}
here=$(cd "$(dirname "$0")/.." && pwd)

# The versions with which gym 0.19.0 still builds.
"$python" -m pip install "setuptools==65.5.0" "wheel==0.38.4"
"$python" -m pip install --no-build-isolation --no-deps "gym==0.19.0"
# With this variable, the set-up of MineRL leaves out the build of Minecraft.
READTHEDOCS=1 "$python" -m pip install --no-build-isolation --no-deps "minerl==0.4.4"
"$python" -m pip install --requirement "$here/tools/minerl-0.4.4.txt"
