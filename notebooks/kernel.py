#!/usr/bin/env python3
"""Starts the Go kernel, GoNB, or says in the first cell why it cannot.

Jupyter calls this with the connection file, as notebooks/setup wrote into kernel.json. A Go that is too old, or a module that
go.mod does not pin or nobody can fetch, would let GoNB die before it shows anything, or fail in each cell with a page of
messages. So that is looked at first; where something is wrong a small kernel in Python stands in, whose every cell is an error
that says what, and what to do.
"""
import os
import pathlib
import re
import subprocess
import sys

REPO = pathlib.Path(__file__).resolve().parent.parent
VENV = REPO / ".venv"
# What cells import beyond the standard library; the packages below come along.
ROOTS = ["./physlib/...", "github.com/janpfeifer/gonb/gonbui/widgets"]


def go(*words):
    """The output of a go command in the checkout, and whether it succeeded."""
    try:
        done = subprocess.run(["go", *words], cwd=REPO, capture_output=True, text=True, timeout=100)
    except FileNotFoundError:
        return "go is not in the PATH", False
    except subprocess.TimeoutExpired:
        return "go %s took longer than 100 s" % words[0], False
    return (done.stdout + done.stderr).strip(), done.returncode == 0


def trouble():
    """Why cells could not be compiled, in one or two lines; None where they can."""
    need = re.search(r"^go (\S+)", (REPO / "go.mod").read_text(), re.M).group(1)
    out, ok = go("version")
    if not ok:
        if "PATH" in out:
            return "There is no Go: %s. Install Go 1.21 or later from https://go.dev/dl, then run notebooks/setup." % out
        out = out.splitlines()[-1]
        return ("The Go of this kernel is too old: physlib needs Go %s, and %s. Set GOTOOLCHAIN=auto and be online once, or install "
                "Go %s from https://go.dev/dl; then run notebooks/setup and restart the kernel." % (need, out, need))
    out, ok = go("list", "-deps", "-f", " ", *ROOTS)
    if not ok:
        lines = [line for line in out.splitlines() if line.strip()]
        return ("The module of a package is not pinned in go.mod, or cannot be fetched: %s\nIn the checkout, `go build ./...` tells "
                "more; after `go get MODULE@VERSION` there, restart the kernel." % (lines[0] if lines else out))
    for program in ("gonb", "goimports"):
        if not (VENV / "bin" / program).exists():
            return "%s is not installed; run notebooks/setup, then restart the kernel." % program
    return None


def stand_in(connection, message):
    """A kernel that answers each cell with the message."""
    from ipykernel.kernelapp import IPKernelApp
    from ipykernel.kernelbase import Kernel

    class Error(Kernel):
        implementation = "physlib"
        implementation_version = "1"
        banner = message
        language_info = {"name": "go", "mimetype": "text/x-go", "file_extension": ".go"}

        def do_execute(self, code, silent, *_, **__):
            content = {"ename": "notebook kernel", "evalue": message, "traceback": message.splitlines()}
            if not silent:
                self.send_response(self.iopub_socket, "error", content)
            return {"status": "error", "execution_count": self.execution_count, **content}

    IPKernelApp.launch_instance(kernel_class=Error, argv=["-f", connection])


if __name__ == "__main__":
    connection = sys.argv[1]
    message = trouble()
    if message:
        stand_in(connection, message)
    else:
        gonb = str(VENV / "bin" / "gonb")
        os.execv(gonb, [gonb, "--kernel", connection, "--go_work=%s" % REPO, "--logtostderr=false", "--stderrthreshold=3"])
