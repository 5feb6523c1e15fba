#!/usr/bin/env python3
"""Solves each law of feynman.csv for each of its variables with SymPy and writes feynman-inverted.csv.

Kept are solutions that are no single product of powers and that hold in the whole range of the law,
so that no branch is mixed with another. Needs numpy and sympy.
Usage: invert.py feynman.csv >feynman-inverted.csv
"""
import csv, multiprocessing, random, sys
import numpy as np
import sympy as sp

NAMES = {k: getattr(sp, k) for k in "sin cos tan asin acos atan sinh cosh tanh exp log sqrt".split()} | {"pi": sp.pi, "arcsin": sp.asin, "arccos": sp.acos, "abs": sp.Abs}


def monomial(e, symbols):
    """Whether e is one product of powers of symbols and numbers."""
    for f in sp.Mul.make_args(sp.expand_power_base(sp.powsimp(e, force=True), force=True)):
        base, power = f.as_base_exp()
        if f.free_symbols & symbols and not (base.is_Symbol and power.is_number):
            return False
    return True


def plain(e):
    """e with the powers in logarithms before them: SymPy's log((a/b)**(x/y)) has no units."""
    merged = lambda x: x.func == sp.log and x.args[0].is_Pow
    return e.replace(merged, lambda x: x.args[0].exp * sp.log(x.args[0].base))


def texts(row):
    """The variables of a law with their ranges and units, as they stand in the table."""
    return [[row[f"v{i}_{k}"] for k in ("name", "low", "high", "si")] for i in range(1, 10) if row[f"v{i}_name"]]


def solved(job):
    """The formula of variable i of a law, or None."""
    row, i = job
    variables = texts(row)
    rng = np.random.default_rng(1)
    ranges = [(float(sp.sympify(v[1])), float(sp.sympify(v[2]))) for v in variables]
    points = [rng.uniform(a, b, 400) for a, b in ranges]
    names = [sp.Symbol(v[0], positive=True) if r[0] > 0 else sp.Symbol(v[0], real=True) for v, r in zip(variables, ranges)]
    symbols = {n.name: n for n in names}
    if row["output"] in symbols:
        return None
    law = sp.sympify(row["law"].replace("^", "**"), locals=NAMES | symbols)
    with np.errstate(all="ignore"):
        values = np.broadcast_to(sp.lambdify(names, law, "numpy")(*points), 400)
        good = np.isfinite(values)
        y = sp.Symbol(row["output"], positive=True) if np.all(values[good] > 0) else sp.Symbol(row["output"], real=True)
        if good.sum() < 200:
            return None
        try:
            found = sp.solve(sp.Eq(y, law), names[i], check=False)
        except Exception:
            return None
        for s in found:
            if not isinstance(s, sp.Expr) or s.has(sp.I, sp.LambertW, sp.Piecewise, sp.RootOf) or names[i] in s.free_symbols:
                continue
            s = plain(min((s, sp.simplify(s), sp.factor(s)), key=sp.count_ops))
            others = [n for n in names if n != names[i]] + [y]
            if monomial(s, set(others)) or s.has(sp.I):
                continue
            try:
                back = sp.lambdify(others, s, "numpy")(*[p for k, p in enumerate(points) if k != i], values)
            except Exception:
                continue
            if np.all(np.isreal(back)) and np.allclose(np.real(back)[good], points[i][good], rtol=1e-6, atol=1e-9):
                return str(s)
    return None


def main():
    rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["set"] == "feynman"]
    jobs = [(r, i) for r in rows for i in range(len(texts(r)))]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["id", "set", "name", "law", "output", "output_si", "output_low", "output_high", "given"] + [f"v{i}_{k}" for i in range(1, 10) for k in ("name", "low", "high", "si")])
    with multiprocessing.Pool(maxtasksperchild=8) as pool:
        answers = [(job, pool.apply_async(solved, (job,))) for job in jobs]
        for (row, i), answer in answers:
            try:
                formula = answer.get(60)
            except Exception as e:
                print(row["id"], texts(row)[i][0], repr(e), file=sys.stderr)
                formula = None
            if not formula:
                continue
            variables = texts(row)
            v = variables.pop(i)
            variables.append([row["output"], "", "", row["output_si"]])
            cells = [f"{row['id']}:{v[0]}", "feynman-inverted", row["name"], formula, v[0], v[3], v[1], v[2], f"{row['output']} = {row['law']}"]
            out.writerow(cells + [c for w in variables for c in w] + [""] * 4 * (9 - len(variables)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
