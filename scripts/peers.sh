#!/usr/bin/env bash
# Make the virtual environment of the programs we are compared and connected with: openpi-client and vla-eval, from PyPI.
#
# It is apart from ours because they pin older libraries (numpy below 2). `make test` and `make servebench` make it
# first; without it the tests in tests/interop are skipped. Another place: PEERS=/path/to/venv. Safe to run again.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python="${PYTHON:-python3}"
venv="${PEERS:-.venv-peers}"
stamp="$venv/.ready-2"

if [[ -e "$stamp" ]]; then
    exit 0
fi
if [[ ! -x "$venv/bin/python" ]]; then
    echo "peers: virtual environment in $venv"
    "$python" -m venv "$venv"
fi
# openpi-client 0.1.2 imports typing_extensions without saying so. GR00T's own package needs a GPU stack; what its wire
# is made of, msgpack-numpy and ZeroMQ, stands for it.
echo "peers: pip install openpi-client==0.1.2 vla-eval==0.8.0"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    'openpi-client==0.1.2' 'vla-eval==0.8.0' 'msgpack-numpy==0.4.8' 'pyzmq>=26,<28' typing_extensions
touch "$stamp"
