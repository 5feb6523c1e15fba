"""Fits what standard input names with scipy and lmfit and prints the results: JSON in, JSON out.

Derivatives are those of SymPy, so that nothing but rounding separates the results from exact ones.
"""
import json
import sys
import warnings

import lmfit
import numpy as np
import sympy
from scipy import optimize, stats

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        from scipy import odr
    except ImportError:  # removed from newer versions
        odr = None


def compiled(case):
    """The formula and its derivatives by constants and columns as functions of (columns, constants)."""
    names = case["columns"] + case["constants"]
    symbols = {n: sympy.Symbol(n) for n in names}
    e = sympy.sympify(case["formula"], locals=symbols)
    def function(expression):
        f = sympy.lambdify([symbols[n] for n in names], expression, "numpy")
        return lambda x, c: f(*x, *c) + np.zeros(len(x[0]))
    return (function(e), [function(e.diff(symbols[n])) for n in case["constants"]],
            [function(e.diff(symbols[n])) for n in case["columns"]])


def plain(case, f, df, out):
    """curve_fit, and lmfit with bands of 95 %."""
    x, y, sigma = np.array(case["x"]), np.array(case["y"]), np.array(case["sigma"])
    absolute = case["absolute"]
    for tol in (1e-15, 1e-13, 1e-11, 1e-9):  # the least with which it says that it ended
        try:
            p, cov = optimize.curve_fit(lambda x, *c: f(x, c), x, y, p0=case["start"], sigma=sigma, absolute_sigma=absolute,
                                        jac=lambda x, *c: np.array([d(x, c) for d in df]).T,
                                        ftol=tol, xtol=tol, gtol=tol, maxfev=2000)
            break
        except RuntimeError:
            continue
    else:
        raise RuntimeError("curve_fit does not end")
    out["scipy"] = {"params": p.tolist(), "cov": cov.ravel().tolist(), "chi2": float(np.sum(((y - f(x, p)) / sigma) ** 2))}
    model = lmfit.Model(eval("lambda x, %s: f(x, (%s,))" % (", ".join(case["constants"]), ", ".join(case["constants"])), {"f": f}),
                        independent_vars=["x"])
    start = model.make_params(**dict(zip(case["constants"], p)))
    r = model.fit(y, start, x=x, weights=1 / sigma, scale_covar=not absolute,
                  fit_kws=dict(ftol=1e-15, xtol=1e-15, gtol=1e-15,
                               Dfun=lambda c, *a, **k: np.array([d(x, [c[n].value for n in case["constants"]]) / sigma for d in df]),
                               col_deriv=1))
    out["lmfit"] = {"params": [r.params[n].value for n in case["constants"]],
                    "stderr": [r.params[n].stderr for n in case["constants"]],
                    "redchi": r.redchi}
    if not absolute:
        near = r.eval_uncertainty(sigma=0.95, dscale=1e-4)
        out["lmfit"]["confidence"] = near.tolist()
        if len(set(case["sigma"])) == 1:
            out["lmfit"]["prediction"] = r.dely_predicted.tolist()


def bounded(case, f, df, out):
    x, y, sigma = np.array(case["x"]), np.array(case["y"]), np.array(case["sigma"])
    r = optimize.least_squares(lambda c: (f(x, c) - y) / sigma, case["start"], bounds=(np.array(case["low"], float), np.array(case["high"], float)),
                               jac=lambda c: np.array([d(x, c) / sigma for d in df]).T,
                               ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=5000, x_scale="jac")
    out["scipy"] = {"params": r.x.tolist(), "chi2": 2 * r.cost}


def robust(case, f, df, out):
    """curve_fit with a robust loss, from where least squares end."""
    x, y, sigma = np.array(case["x"]), np.array(case["y"]), np.array(case["sigma"])
    same = dict(sigma=sigma, absolute_sigma=case["absolute"], method="trf", x_scale="jac", max_nfev=5000,
                jac=lambda x, *c: np.array([d(x, c) for d in df]).T, ftol=1e-15, xtol=1e-15, gtol=1e-15)
    model = lambda x, *c: f(x, c)
    p, _ = optimize.curve_fit(model, x, y, p0=case["start"], **same)
    p, cov = optimize.curve_fit(model, x, y, p0=p, loss=case["loss"], f_scale=case["f_scale"], **same)
    z = ((y - f(x, p)) / sigma / case["f_scale"]) ** 2
    rho = {"soft_l1": 2 * (np.sqrt(1 + z) - 1), "huber": np.where(z <= 1, z, 2 * np.sqrt(z) - 1),
           "cauchy": np.log1p(z), "arctan": np.arctan(z)}[case["loss"]]
    out["scipy"] = {"params": p.tolist(), "cov": cov.ravel().tolist(), "chi2": float(case["f_scale"] ** 2 * np.sum(rho))}


def effective(case, f, df, slopes, out):
    x, y, sigma = np.array(case["x"]), np.array(case["y"]), np.array(case["sigma"])
    xs = np.array(case["xsigma"])
    def residual(c):
        v = sigma ** 2
        for d, s in zip(slopes, xs):
            v = v + (d(x, c) * s) ** 2
        return (y - f(x, c)) / np.sqrt(v)
    r = optimize.least_squares(residual, case["start"], jac="3-point", ftol=1e-15, xtol=1e-15, gtol=1e-15,
                               max_nfev=5000, x_scale=np.abs(case["start"]) + 1e-30)
    out["scipy"] = {"params": r.x.tolist(), "cov": np.linalg.inv(r.jac.T @ r.jac).ravel().tolist(), "chi2": 2 * r.cost}


def orthogonal(case, f, df, slopes, out):
    x, y = np.array(case["x"]), np.array(case["y"])
    shape = lambda v: v if len(case["columns"]) > 1 else v[0]
    wide = lambda x: np.atleast_2d(x)
    model = odr.Model(lambda c, x: f(wide(x), c), fjacb=lambda c, x: np.array([d(wide(x), c) for d in df]),
                      fjacd=lambda c, x: shape(np.array([d(wide(x), c) for d in slopes])))
    data = odr.RealData(shape(x), y, sx=shape(np.array(case["xsigma"])), sy=np.array(case["sigma"]))
    job = odr.ODR(data, model, beta0=case["start"], sstol=1e-15, partol=1e-15, maxit=20000)
    job.set_job(deriv=3)
    r = job.run()
    out["scipy"] = {"params": r.beta.tolist(), "cov": r.cov_beta.ravel().tolist(), "chi2": float(r.sum_square)}


def main():
    results = []
    for case in json.load(sys.stdin):
        f, df, slopes = compiled(case)
        out = {"name": case["name"]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                {"plain": lambda: plain(case, f, df, out), "bounded": lambda: bounded(case, f, df, out),
                 "robust": lambda: robust(case, f, df, out),
                 "effective": lambda: effective(case, f, df, slopes, out),
                 "orthogonal": lambda: orthogonal(case, f, df, slopes, out)}[case["kind"]]()
                json.dumps(out, allow_nan=False)
            except Exception as e:
                out = {"name": case["name"], "error": str(e)}
        results.append(out)
    json.dump(results, sys.stdout, indent=1)


main()
