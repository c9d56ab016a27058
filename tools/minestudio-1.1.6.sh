#!/usr/bin/env bash
# Install the simulator of MineStudio 1.1.6 alone: bash tools/minestudio-1.1.6.sh [PYTHON]
#
# PYTHON is the interpreter of an environment of its own (default: python), with Python 3.10 to 3.12. The package asks
# for all that its training needs; the script installs what the simulator imports. docs/minerl.md says how to go on.
set -euo pipefail
python=${1:-python}
here=$(cd "$(dirname "$0")/.." && pwd)

"$python" -m pip install --no-deps "minestudio==1.1.6"
"$python" -m pip install --requirement "$here/tools/minestudio-1.1.6.txt"
