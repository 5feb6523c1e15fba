"""Finds laws of motion with PySINDy 2.x, for physlib's bench sindy.

Each line of standard input is a JSON object: names of the columns, order 1 or 2, times t, runs as [run][state][row], and
whether the states have noise. Each is answered by a JSON line: for each equation the sum that the rule below chooses, all
distinct sums of the grid, and the terms that the library has. The truth is never seen here.

Grid: differentiation × library × threshold.
  differentiation  finite differences of order 4; with noise Savitzky-Golay windows of 11, 21 and 41 rows instead
  library          polynomials of degree 2 or 3; degree 3 with sines and cosines; degree 2 times them
  threshold        12 values of STLSQ from 0.003 to 1, even in the logarithm
Rule: each run is left out in turn, the others are fitted, and the derivatives of the run left out are predicted; where there
is one run its halves take the place of runs. Of all points of the grid whose error is at most a tenth above the least, the one
with the fewest terms is fitted to all runs. Predictions are compared with one estimate of the derivatives, that of the middle
window. At order 2 velocities are derivatives of the measured states by the same differentiation."""
import json, os, re, sys, warnings
for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[k] = "1"
import numpy as np
import pysindy as ps
warnings.filterwarnings("ignore")

THRESHOLDS = np.geomspace(0.003, 1, 12)
SLACK = 1.1


def differentiations(noisy):
    if not noisy:
        return [ps.FiniteDifference(order=4)]
    return [ps.SmoothedFiniteDifference(smoother_kws={"window_length": w, "polyorder": 3}) for w in (21, 11, 41)]


def libraries():
    poly, waves = ps.PolynomialLibrary, lambda: ps.FourierLibrary(n_frequencies=1)
    return [lambda: poly(degree=2), lambda: poly(degree=3), lambda: poly(degree=3) + waves(),
            lambda: poly(degree=2) + waves() + poly(degree=2, include_bias=False) * waves()]


def formula(feature):
    feature = re.sub(r"\b(sin|cos)\(1 (\w+)\)", r"\1(\2)", feature)
    return feature.replace("^", "**").replace(" ", "*")


def smooth(d, x):
    """The states as d smooths them, where it does."""
    s = getattr(d, "smoother", None)
    return x if s is None else s(x, **d.smoother_kws)  # its axis is among them


def prepared(task, d):
    """States and derivatives of each run."""
    t, out = np.array(task["t"]), []
    for run in task["runs"]:
        x = np.array(run).T
        v = d._differentiate(x, t)
        if task["order"] == 1:
            out.append((smooth(d, x), v))
        else:
            out.append((np.hstack([smooth(d, x), v]), d._differentiate(v, t)))
    return out


def fitted(threshold, runs):
    """Coefficients [equation][term] of STLSQ for runs of terms and derivatives; None where it fails."""
    try:
        o = ps.STLSQ(threshold=threshold)
        o.fit(np.vstack([x for x, _ in runs]), np.vstack([r for _, r in runs]))
        return np.asarray(o.coef_) if np.isfinite(o.coef_).all() else None
    except Exception:  # no term is left, or a system that cannot be solved
        return None


def halves(runs):
    """A single run as two."""
    if len(runs) > 1:
        return runs
    (x, r), h = runs[0], len(runs[0][0]) // 2
    return [(x[:h], r[:h]), (x[h:], r[h:])]


def left_out(runs, reference, threshold):
    """Squared errors of each equation, each run predicted from the others."""
    error = 0
    for i, ((x, _), (_, truth)) in enumerate(zip(runs, reference)):
        c = fitted(threshold, runs[:i] + runs[i + 1:])
        error = error + (np.inf if c is None else ((x @ c.T - truth)**2).sum(axis=0))
    return error


def written(coefs, names):
    terms = [f"({c:.15g})*{formula(n)}" for c, n in zip(coefs, names) if c != 0]
    return " + ".join(terms) or "0"


def solve(task):
    reference, grid, names = None, [], task["names"]
    equations = len(task["runs"][0])
    features = set()
    for d in differentiations(task["noisy"]):
        runs = prepared(task, d)
        if reference is None:
            reference = runs
        for make in libraries():
            library = make()
            library.fit(runs[0][0])
            terms = library.get_feature_names(names)
            features.update(map(formula, terms))
            columns = [(np.asarray(library.transform(x)), r) for x, r in runs]
            parts, truth = halves(columns), halves(reference)
            for threshold in THRESHOLDS:
                whole = fitted(threshold, columns)
                if whole is not None:
                    error = left_out(parts, truth, threshold) * np.ones(equations)
                    grid.append((error, whole, terms))
    answer = []
    for k in range(equations):
        least = min((e[k] for e, _, _ in grid), default=np.inf)
        near = [(np.count_nonzero(c[k]), e[k], c[k], t) for e, c, t in grid if e[k] <= SLACK**2 * least]
        best = min(near, key=lambda g: g[:2], default=None)
        seen = {}
        for _, c, t in grid:
            seen.setdefault(frozenset(n for v, n in zip(c[k], t) if v != 0), written(c[k], t))
        answer.append({"chosen": written(best[2], best[3]) if best else "0", "all": list(seen.values())})
    return {"equations": answer, "terms": sorted(features), "version": ps.__version__}


for line in sys.stdin:
    print(json.dumps(solve(json.loads(line))), flush=True)
