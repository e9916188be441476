#!/usr/bin/env bash
# Make the virtual environment in which LeRobot 0.4.4 lives: its policies are served from there, its evaluator runs our
# tasks there, and the bench's twin is tried against its arm driver. Called by `make lerobot`; safe to run again.
#
# PROCTOR_LEROBOT_VENV names the folder (default .venv-lerobot); the tests look for it by the same variable.
# lerobot 0.4.4 declares torch<2.11 and torchvision<0.26; it works with the versions below, which is why it is installed
# without its dependencies and those come from a list of their own.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
python="${PYTHON:-python3}"
venv="${PROCTOR_LEROBOT_VENV:-$root/.venv-lerobot}"
pip=("$venv/bin/python" -m pip install --quiet --disable-pip-version-check)

if ! "$python" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "lerobot_env: Python 3.11 or newer is needed, '$python' is not: set PYTHON=/path/to/python3.11" >&2
    exit 1
fi
if [[ ! -x "$venv/bin/python" ]]; then
    echo "lerobot_env: virtual environment in $venv"
    "$python" -m venv "$venv"
fi

echo "lerobot_env: torch, torchvision, lerobot and what they need (about 2 GB)"
"${pip[@]}" --no-deps torch==2.13.0 torchvision==0.28.0 lerobot==0.4.4
"${pip[@]}" --no-deps --requirement "$root/scripts/lerobot_requirements.txt"
"${pip[@]}" --no-deps --editable "$root"

# PyPI's torchvision is a CUDA build. Beside a CPU torch its compiled part does not load, and its Python part then stops
# at operators that nobody declared ("operator torchvision::nms does not exist"). Declaring them is enough for what
# policies use (backbones, transforms); the hook runs when torchvision is first imported, so other programs pay nothing.
if ! "$venv/bin/python" -c 'import torchvision' 2>/dev/null; then
    site="$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')"
    cp "$root/scripts/lerobot_torchvision.py" "$site/proctor_torchvision.py"
    echo 'import proctor_torchvision' >"$site/proctor_torchvision.pth"
fi
"$venv/bin/python" -c '
import proctor, torch, torchvision
from lerobot.robots.so_follower import SO101Follower
from lerobot.scripts import lerobot_eval
print(f"lerobot_env: ready: torch {torch.__version__}, torchvision {torchvision.__version__}, proctor {proctor.__version__}")
'
