#!/usr/bin/env bash
# All checks: style, types, tests with doctests, and the wheel in a fresh environment.
# pytest runs last, so that its summary is the last line of the output.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '\n== %s\n' "$*"; }

step "style"
ruff check .
ruff format --check .

step "types"
python tools/layout.py
MYPYPATH=.layout mypy --strict -p optimus_gym

step "wheel"
# From a copy: a build leaves folders behind and would ship modules of an older one.
copy="$work/source"
mkdir "$copy"
tar -cf - --exclude=.git --exclude=.layout --exclude='*.egg-info' --exclude=build . | tar -xf - -C "$copy"
python -m build --wheel --outdir "$work/dist" "$copy" > "$work/build.log" 2>&1 \
    || { cat "$work/build.log"; exit 1; }
python tools/wheel_files.py "$work"/dist/*.whl
python -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$work"/dist/*.whl
mkdir "$work/elsewhere"
cp tools/smoke.py "$work/elsewhere/"
(cd "$work/elsewhere" && "$work/venv/bin/python" smoke.py && "$work/venv/bin/optimus-gym" list > list.txt)
grep -q 'Optimus-Diamond-v0' "$work/elsewhere/list.txt"

step "tests"
# Two processes, each with whole files: tests of one file may share what a fixture built. The networks are small,
# and threads of both processes on the same cores would wait for each other. A test that hangs shows where and ends
# its process, and the run ends with a process: xdist would wait for ever for the tests of one that it replaced.
OMP_NUM_THREADS=1 python -m pytest -q -n 2 --dist loadfile --max-worker-restart 0 \
    -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true "$@"
