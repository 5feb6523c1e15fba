#!/usr/bin/env python3
"""Tests of the runner: what it lets pass and what not, and what notebooks do when things go wrong.

  notebooks/test_run.py            all (the faults start real kernels: a minute or two)
  notebooks/test_run.py Judge      without kernels
"""
import contextlib
import importlib.machinery
import importlib.util
import os
import pathlib
import queue
import shutil
import signal
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
VENV = HERE.parent / ".venv"
if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
    os.execv(VENV / "bin" / "python3", [str(VENV / "bin" / "python3"), *sys.argv])

import nbformat
from jupyter_client.manager import KernelManager

loader = importlib.machinery.SourceFileLoader("run", str(HERE / "run"))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)

v4 = nbformat.v4


def code(outputs=(), tags=(), source="%%\nfmt.Println()"):
    return v4.new_code_cell(source, execution_count=1, outputs=list(outputs), metadata={"tags": list(tags)})


def stream(text, name="stdout"):
    return v4.new_output("stream", name=name, text=text)


def shown(**data):
    return v4.new_output("display_data", data={k.replace("_", "/"): v for k, v in data.items()})


FAILED = v4.new_output("error", ename="ERROR", evalue="exit status 1", traceback=["exit status 1"])


class Judge(unittest.TestCase):
    def problems(self, *cells):
        return "\n".join(run.judge(v4.new_notebook(cells=list(cells))))

    def test_lets_good_ones_pass(self):
        svg = v4.new_output("display_data", data={"image/svg+xml": "<svg/>"})
        self.assertEqual(self.problems(code([stream("T = 365 candidates were evaluated\n"), svg], ["expect:image/svg+xml", "expect-text:candidates were"])), "")

    def test_refuses(self):
        for want, cell in [
            ("failed: ERROR", code([FAILED])),
            ("says 'NaN'", code([stream("R² = NaN\n")])),
            ("says 'panic: '", code([stream("panic: boom\n", "stderr")])),
            ("says 'exit status 2'", code([stream("exit status 2\n", "stderr")])),  # of a shell line, which fails no cell
            ("shows no image/svg+xml, only nothing", code([], ["expect:image/svg+xml"])),
            ("does not say 'front'", code([stream("law\n")], ["expect-text:front"])),
            ("fetched what go.mod does not pin: go: downloading x v1", code([stream("go: downloading x v1\n", "stderr")])),
            ("should have failed", code([], ["raises-exception"])),
            ("should fail with one line, not with 2", code([stream("a\nb\n", "stderr"), FAILED], ["raises-exception"])),
            ("should fail with one line, not with 0", code([FAILED], ["raises-exception"])),
        ]:
            with self.subTest(want):
                self.assertIn(want, self.problems(cell))

    def test_a_cell_that_must_fail(self):
        told = stream("planets.csv: row 3: not a number\nexit status 1\n", "stderr")
        self.assertEqual(self.problems(code([told, FAILED], ["raises-exception"])), "")

    def test_names_the_first_cell_that_failed_only(self):
        told = self.problems(code([FAILED]), code([], ["expect:image/svg+xml"]))
        self.assertNotIn("svg", told)


class Committed(unittest.TestCase):
    def test_outputs_and_paths(self):
        with tempfile.TemporaryDirectory() as dir:
            source = pathlib.Path(dir) / "01-x.md"
            source.write_text("# Title\n\n```go\n%%\nfmt.Println(1)\n```\n")
            nb = run.build(source)
            self.assertIn("cell 1 was never run", "\n".join(run.judge_committed(source, nb)))
            nb.cells[1].execution_count = 1
            self.assertEqual(list(run.judge_committed(source, nb)), [])
            for path in ["/home/me/physlib/x.go", "/root/go/pkg", "/tmp/gonb_1/main.go"]:
                nb.cells[1].outputs = [stream("wrote " + path + "\n")]
                self.assertIn("holds a path of the machine that ran it: " + path, "\n".join(run.judge_committed(source, nb)))
            nb.cells[1].outputs = []
            source.write_text("# Title\n\n```go\n%%\nfmt.Println(2)\n```\n")
            self.assertIn("its cells are not those of source/01-x.md", "\n".join(run.judge_committed(source, nb)))


class Sources(unittest.TestCase):
    def test_jupyterlab_saves_them_as_they_are(self):
        for source in run.sources():
            with self.subTest(source.name):
                self.assertEqual(run.jupytext.writes(run.build(source), fmt="md"), source.read_text())


class Kernel:
    """A kernel whose cells are run one by one."""

    def __init__(self, dir, **env):
        self.manager = KernelManager(kernel_name="gonb")
        self.manager.start_kernel(cwd=str(dir), env=dict(os.environ, GOPROXY="off", PHYSLIB_HEADLESS="1", **env))
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)

    def start(self, source):
        return self.client.execute(source)

    def wait(self, id, until=None, limit=300):
        """What the cell prints, by name of the stream, until it ends or has printed the words; and its error, None without."""
        said, error, end = {"stdout": "", "stderr": ""}, None, time.monotonic() + limit
        while time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                m = self.client.get_iopub_msg(timeout=1)
                if m["parent_header"].get("msg_id") != id:
                    continue
                content = m["content"]
                if m["msg_type"] == "stream":
                    said[content["name"]] += content["text"]
                elif m["msg_type"] == "error":
                    error = "\n".join([content["evalue"], *content["traceback"]])
                elif m["msg_type"] == "status" and content["execution_state"] == "idle":
                    return said, error
                if until and until in said["stdout"] + said["stderr"]:
                    return said, error
        raise TimeoutError("the cell did not end in %g s; it said %s" % (limit, said))

    def run(self, source, limit=300):
        return self.wait(self.start(source), limit=limit)

    def interrupt(self):
        self.manager.interrupt_kernel()

    def kill(self):
        self.manager.shutdown_kernel(now=True)

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


IMPORTS = """%noautoget
import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/notebook"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)
"""

TRAIN = IMPORTS + """
%%
b, _, err := backend.Open("go")
notebook.Check(err)
task := notebook.Must(system.NewTask(notebook.Must(system.Preset("tiny.yaml")), 1))
first := int64(-1)
r, err := train.Run(notebook.Context(), b, task, train.Settings{Steps: STEPS, LogSteps: 2, SaveSteps: 2, ValidateEvery: -1}, "run", func(p train.Progress) {
	if first < 0 && p.Step > 0 {
		first = p.Step
		fmt.Println("first told of step", first)
	}
})
notebook.Check(err)
fmt.Println("made step", r.Step, "finished", r.Finished)
"""


class Faults(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="notebook "))  # a path with a blank
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        shutil.copy(HERE.parent / "physlib/system/testdata/tiny.yaml", self.dir)

    def kernel(self, **env):
        k = Kernel(self.dir, **env)
        self.addCleanup(k.close)
        return k

    def test_csv_with_errors(self):
        k = self.kernel()
        said, error = k.run(IMPORTS + '%%\nnotebook.Check(os.WriteFile("x.csv", []byte("a,b\\n1,2\\n3,oops\\n"), 0o644))\nnotebook.Read("x.csv")\nfmt.Println("went on")')
        self.assertIsNotNone(error)
        self.assertRegex(said["stderr"], r'^x\.csv: row 3, column 2 \(b\): "oops" is not a number[^\n]*\n(\s*exit status 1\s*)?$')
        self.assertEqual(said["stdout"], "")

    def test_interrupt_in_a_search(self):
        k = self.kernel()
        id = k.start(IMPORTS + """%%
t := notebook.Example("chwirut2")
started := false
r := notebook.Discover(t, discover.Settings{Time: 10 * time.Minute, Progress: func(p discover.Progress) {
	if !started && p.Best.Tree.Len() > 0 {
		started = true
		fmt.Println("began")
	}
}})
fmt.Println("stopped:", r.Stopped, "best:", r.Best.Display(0))
""")
        _, error = k.wait(id, until="began")
        self.assertIsNone(error)
        k.interrupt()
        began = time.monotonic()
        said, error = k.wait(id, limit=60)
        self.assertIsNone(error)
        self.assertIn("interrupted: the best so far", said["stdout"])
        self.assertRegex(said["stdout"], "stopped: interrupted best: .+[a-z]")
        self.assertLess(time.monotonic() - began, 5, "GoNB kills a cell after 5 s")
        said, error = k.run("%%\nfmt.Println(2 + 2)")
        self.assertEqual((said["stdout"].strip(), error), ("4", None), "the kernel goes on")

    def test_kernel_restart_in_training_and_two_at_once(self):
        first = self.kernel()
        id = first.start(TRAIN.replace("STEPS", "100000"))
        _, error = first.wait(id, until="first told of step")
        self.assertIsNone(error)
        # A second notebook in the same folder is told so.
        second = self.kernel()
        said, error = second.run(TRAIN.replace("STEPS", "100000"))
        self.assertIsNotNone(error)
        self.assertRegex(said["stderr"], r"another process trains in this folder \(run/lock: another process has locked it\); wait for it, or take another folder")
        self.assertNotIn("goroutine", said["stderr"])
        # The first one's kernel is killed; what is in the folder goes on.
        end = time.monotonic() + 120
        while not list((self.dir / "run/checkpoints").glob("step-*.ckpt")):
            self.assertLess(time.monotonic(), end, "no checkpoint")
            time.sleep(0.2)
        first.kill()
        time.sleep(1)
        id = second.start(TRAIN.replace("STEPS", "100000"))
        said, _ = second.wait(id, until="first told of step")
        self.assertGreater(int(said["stdout"].split("first told of step")[1].split()[0]), 2, "it did not go on from a checkpoint")
        second.interrupt()
        said, error = second.wait(id, limit=60)
        self.assertIsNone(error)
        self.assertRegex(said["stdout"], r"made step \d+ finished false")

    def test_a_cell_ends_with_its_kernel(self):
        k = self.kernel()
        id = k.start(IMPORTS + '%%\nfmt.Println("pid", os.Getpid())\nfor notebook.Context() != nil {\n\ttime.Sleep(time.Second)\n}')
        said, error = k.wait(id, until="pid")
        self.assertIsNone(error)
        time.sleep(1)  # the number may come after the word
        pid = int(said["stdout"].split()[1])
        k.manager.signal_kernel(signal.SIGKILL)
        end = time.monotonic() + 30
        while pathlib.Path("/proc/%d" % pid).exists() and "State:\tZ" not in pathlib.Path("/proc/%d/status" % pid).read_text():
            self.assertLess(time.monotonic(), end, "the program of the cell goes on")
            time.sleep(0.5)

    def test_module_not_pinned(self):
        k = self.kernel()
        id = k.start('%noautoget\nimport "github.com/nobody/nothing"\n%%\nnothing.Do()')
        page = ""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            m = k.client.get_iopub_msg(timeout=60)
            if m["parent_header"].get("msg_id") == id:
                page += str(m["content"])
                if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                    break
        self.assertIn("no required module provides package github.com/nobody/nothing", page)

    def test_go_too_old(self):
        old = self.dir / "bin"
        old.mkdir()
        (old / "go").write_text("#!/bin/sh\necho 'go: go.mod requires go >= 1.27 (running go 1.21.0; GOTOOLCHAIN=local)' >&2\nexit 1\n")
        (old / "go").chmod(0o755)
        message = self.stand_in(old)
        self.assertIn("The Go of this kernel is too old: physlib needs Go 1.27", message)
        self.assertIn("running go 1.21.0", message)
        self.assertIn("notebooks/setup", message)

    def test_module_missing_in_go_mod(self):
        bad = self.dir / "bin"
        bad.mkdir()
        (bad / "go").write_text("#!/bin/sh\n[ \"$1\" = version ] && exit 0\necho 'x.go:3:2: no required module provides package a.b/c; to add it:' >&2\nexit 1\n")
        (bad / "go").chmod(0o755)
        self.assertIn("is not pinned in go.mod, or cannot be fetched: x.go:3:2: no required module provides package a.b/c", self.stand_in(bad))

    def stand_in(self, path):
        """What the first cell says where go is the program in the folder."""
        k = KernelManager(kernel_name="gonb")
        k.kernel_spec.env = dict(k.kernel_spec.env, PATH="%s:%s" % (path, os.environ["PATH"]))
        k.start_kernel(cwd=str(self.dir))
        self.addCleanup(k.shutdown_kernel, now=True)
        client = k.client()
        client.start_channels()
        self.addCleanup(client.stop_channels)
        client.wait_for_ready(timeout=120)
        reply = client.execute_interactive("%%\nfmt.Println(1)", timeout=60, output_hook=lambda _: None)
        self.assertEqual(reply["content"]["status"], "error")
        return reply["content"]["evalue"]


if __name__ == "__main__":
    unittest.main(verbosity=2)
