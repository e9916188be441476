#!/usr/bin/env bash
# Make the virtual environment and install what Proctor needs. Called by the Makefile; safe to run again.
#
# System packages: software OpenGL for headless rendering (EGL, with OSMesa as a second way), and venv itself, which
# Debian ships apart from Python. They are installed when we are root; otherwise one line says what to install.
set -euo pipefail

python="${PYTHON:-python3}"
venv="${VENV:-.venv}"

if ! "$python" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "setup: Python 3.11 or newer is needed, '$python' is not: install python3.11 or run make PYTHON=/path/to/python3.11" >&2
    exit 1
fi

wanted=()
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    wanted+=(python3-venv)
fi
if command -v ldconfig >/dev/null; then
    libraries="$(ldconfig -p)"
    grep -q 'libEGL\.so\.1' <<<"$libraries" || wanted+=(libegl1)
    grep -q 'libOSMesa\.so' <<<"$libraries" || wanted+=(libosmesa6)
fi
if ! compgen -G '/usr/lib/*/dri/swrast_dri.so' >/dev/null && ! compgen -G '/usr/lib/*/libgallium*.so' >/dev/null; then
    wanted+=(libgl1-mesa-dri)
fi

# The tests of the operator's console look at its page in a real browser.
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)

if ((${#wanted[@]})); then
    installed=0
    if [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
        echo "setup: apt-get install ${wanted[*]}"
        export DEBIAN_FRONTEND=noninteractive
        if apt-get update -qq && apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null; then
            installed=1
        fi
    fi
    if ((!installed)); then
        echo "setup: please install these system packages: sudo apt-get install ${wanted[*]}" >&2
    fi
fi

if [[ ! -x "$venv/bin/python" ]]; then
    echo "setup: virtual environment in $venv"
    "$python" -m venv "$venv"
fi
echo "setup: pip install -e .[dev,docs,station,language,plots]"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs,station,language,plots]'
echo "setup: proctor language setup"
"$venv/bin/proctor" language setup >/dev/null
