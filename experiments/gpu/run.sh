#!/bin/sh
# Measures and trains on this machine's GPU: sh run.sh OUT [flags of physlib gpu run]
# What is to be taken home comes to the folder OUT; results stay in $PHYSLIB_GPU (default: /tmp/physlib-gpu), so that a second start goes on.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "usage: sh $0 OUT [flags of physlib gpu run, such as --time 9m --stage step-]" >&2; exit 2; }
out=$1
shift
work=${PHYSLIB_GPU:-/tmp/physlib-gpu}
mkdir -p "$work" "$out"

if [ ! -x "$work/physlib" ] || ! cmp -s "$here/manifest.json" "$work/manifest.json"; then
	gzip -dc "$here/physlib.gz" >"$work/physlib.part"
	chmod +x "$work/physlib.part"
	mv "$work/physlib.part" "$work/physlib"
	cp "$here/manifest.json" "$work/manifest.json"
fi

# The plugin lies where Python's jax_plugins lie, whatever CUDA they are for; without Python physlib looks where GoMLX puts its own.
if [ -z "${PHYSLIB_XLA:-}" ] && command -v python3 >/dev/null; then
	PHYSLIB_XLA=$(python3 - <<'PYTHON' || true
import glob, importlib.util
spec = importlib.util.find_spec("jax_plugins")
found = [p for d in (spec.submodule_search_locations if spec else []) for p in glob.glob(d + "/xla_cuda*/xla_cuda_plugin.so")]
print(max(found) if found else "")
PYTHON
	)
	if [ -n "$PHYSLIB_XLA" ]; then export PHYSLIB_XLA; else unset PHYSLIB_XLA; fi
fi

state=
for f in "$here"/state/state.*; do [ -e "$f" ] && state="--state $here/state"; done
# shellcheck disable=SC2086
exec "$work/physlib" gpu run --out "$work/results" --bring "$out" $state "$@"
