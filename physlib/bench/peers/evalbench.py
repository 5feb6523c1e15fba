"""Evaluates the trees of physlib's bench eval with other engines, one pass when asked, so that passes alternate.

usage: evalbench.py TREES.jsonl DATA.f32 ROWS,ROWS,... CORE   (CORE -1: any)

DATA holds 10 columns of the greatest number of rows, float32, one column after the other. Each line of standard input,
`ENGINE SET ROWS`, is answered by a JSON line {"s": CPU seconds of the better of two passes} after the first such line has set up and warmed
the engine; `values FILE SET ROWS N` writes NumPy's float64 values of the first N trees, float64, tree after tree.
Adapted from the measurement that physlib is compared with: one call for all trees for pyoperon, plain ufuncs for NumPy."""
import json, os, sys, time
for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[k] = "1"
if int(sys.argv[4]) >= 0:
    os.sched_setaffinity(0, {int(sys.argv[4])})
import numpy as np

BIN, UN, NV = ["+", "-", "*", "/"], ["exp", "log", "sin", "cos", "sqrt"], 10
F = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "exp": np.exp, "log": np.log, "sin": np.sin,
     "cos": np.cos, "sqrt": np.sqrt}
TREES = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    TREES.setdefault(r["set"], []).append(r["post"])
MOST = max(map(int, sys.argv[3].split(",")))
X = np.fromfile(sys.argv[2], np.float32).reshape(NV, MOST)


def numpy_values(trees, c, number):
    out = []
    with np.errstate(all="ignore"):
        for p in trees:
            st = []
            for t in p:
                if not isinstance(t, str):
                    st.append(number(t))
                elif t[0] == "x":
                    st.append(c[int(t[1:])])
                elif t in UN:
                    st.append(F[t](st.pop()))
                else:
                    b, a = st.pop(), st.pop()
                    st.append(F[t](a, b))
            out.append(np.broadcast_to(st[0], (len(c[0]),)))
    return out


def numpy_pass(name, rows):
    c = [np.ascontiguousarray(X[j, :rows]) for j in range(NV)]
    return lambda: numpy_values(TREES[name], c, np.float32)


def mirror(post):
    """Operon's postfix has the first argument last."""
    st = []
    for t in post:
        if isinstance(t, str) and t in BIN:
            b, a = st.pop(), st.pop()
            st.append(b + a + [t])
        elif isinstance(t, str) and t in UN:
            st.append(st.pop() + [t])
        else:
            st.append([t])
    return st[0]


def pyoperon_pass(name, rows):
    import pyoperon as op
    data = np.asfortranarray(X[:, :rows].T)  # must outlive ds, which keeps it by reference
    ds = op.Dataset(data)
    variables = [v.Hash for v in sorted(ds.Variables, key=lambda v: v.Index)][:NV]
    N = op.Node
    make = {"+": N.Add, "-": N.Sub, "*": N.Mul, "/": N.Div, "exp": N.Exp, "log": N.Log, "sin": N.Sin, "cos": N.Cos, "sqrt": N.Sqrt}

    def tree(post):
        out = []
        for t in mirror(post):
            if isinstance(t, str) and t[0] == "x":
                n = N(op.NodeType.Variable)
                n.HashValue = n.CalculatedHashValue = variables[int(t[1:])]
                n.Value = 1.0
                out.append(n)
            else:
                out.append(make[t]() if isinstance(t, str) else N.Constant(t))
        return op.Tree(out).UpdateNodes()
    trees = [tree(p) for p in TREES[name]]
    buf, span = np.zeros(len(trees) * rows, np.float32), op.Range(0, rows)

    def run(keep=data):
        op.EvaluateTrees(trees, ds, span, buf, 1)
    return run


PASSES = {}
for line in sys.stdin:
    words = line.split()
    try:
        if words[0] == "values":
            c = [X[j, :int(words[3])].astype(np.float64) for j in range(NV)]
            values = numpy_values(TREES[words[2]][:int(words[4])], c, np.float64)
            np.concatenate(values).astype(np.float64).tofile(words[1])
            print(json.dumps({}), flush=True)
            continue
        key = tuple(words)
        if key not in PASSES:
            PASSES[key] = {"numpy": numpy_pass, "pyoperon": pyoperon_pass}[words[0]](words[1], int(words[2]))
            PASSES[key]()
        best = 1e9
        for _ in range(2):
            t = time.process_time()
            PASSES[key]()
            best = min(best, time.process_time() - t)
        print(json.dumps({"s": best}), flush=True)
    except Exception as e:
        print(json.dumps({"error": f"{type(e).__name__}: {e}"[:300]}), flush=True)
