"""Verdicts of SRBench on pairs of laws: a JSON object a line in, one out.

In: {"true": law, "found": law, "vars": [{"low", "high"}], "seconds": limit}, laws in v0, v1, …
Out: {"exact": true | false | null, "note": why}; null is undecided.

SRBench (La Cava et al. 2021) accepts a law when, after rounding the floats of both to three decimals, SymPy simplifies
found - true or found/true to a constant. Here also: symbols are real, and positive or negative where their range is;
floats outside 0.1 … 1000, which three decimals would wipe out, are rounded to four significant digits; laws that plainly
differ at random points are not simplified.
"""

import sys

sys.path = [p for p in sys.path if p]  # the working directory may hold any random.py

import json
import random
import signal

import sympy as sp

SMALL, LARGE = 0.1, 1000


class TimeUp(Exception):
    pass


def on_alarm(*_):
    raise TimeUp()


def rounded(x):
    if x == 0:
        return sp.Integer(0)
    if SMALL <= abs(x) < LARGE:
        return sp.Float(round(float(x), 3))
    return sp.Float(f"{float(x):.3e}")


def round_floats(e):
    return e.xreplace({f: rounded(f) for f in e.atoms(sp.Float)})


def clean(e):
    """What remains of a difference of rounded laws: floats below 1e-4 vanish, as in SRBench."""
    return e.xreplace({f: sp.Integer(0) if abs(f) < 1e-4 else sp.Float(round(float(f), 3)) for f in e.atoms(sp.Float)})


def symbol(k, low, high):
    if low >= 0:
        return sp.Symbol(f"v{k}", positive=True)
    if high <= 0:
        return sp.Symbol(f"v{k}", negative=True)
    return sp.Symbol(f"v{k}", real=True)


def values(e, symbols, points):
    f = sp.lambdify(symbols, e, "mpmath")
    out = []
    for p in points:
        try:
            y = complex(f(*p))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            continue
        if abs(y.imag) <= 1e-9 * abs(y) and y == y and abs(y) < float("inf"):
            out.append((p, y.real))
    return dict(out)


def spread(ys):
    return max(ys) - min(ys)


def verdict(q):
    symbols = [symbol(k, v["low"], v["high"]) for k, v in enumerate(q["vars"])]
    names = {str(s): s for s in symbols}
    true, found = (round_floats(sp.sympify(q[k], locals=names)) for k in ("true", "found"))
    if not found.free_symbols and true.free_symbols:
        return False, ""
    rng = random.Random(0)
    points = [tuple(rng.uniform(v["low"], v["high"]) for v in q["vars"]) for _ in range(30)]
    ys, fs = values(true, symbols, points), values(found, symbols, points)
    common = [p for p in points if p in ys and p in fs]
    order_one = True
    if len(common) >= 5:
        scale = sorted(abs(ys[p]) for p in common)[len(common) // 2]
        order_one = 1e-2 < scale < 1e5
        d = [fs[p] - ys[p] for p in common]
        r = [fs[p] / ys[p] for p in common if ys[p]]
        if spread(d) > 0.02 * scale and (not r or spread(r) > 0.02 * abs(sum(r) / len(r))):
            return False, ""
    if order_one:
        d = clean(found - true)
        if d.is_number:
            return True, ""
        if clean(sp.simplify(d, ratio=1)).is_number:
            return True, ""
    r = sp.simplify(found / true, ratio=1)
    return bool(r.is_number or clean(r).is_number), ""


def main():
    signal.signal(signal.SIGALRM, on_alarm)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(json.dumps({"sympy": sp.__version__}), flush=True)
    for line in sys.stdin:
        q = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, q["seconds"])
        try:
            exact, note = verdict(q)
        except TimeUp:
            exact, note = None, f"undecided after {q['seconds']:g} s"
        except Exception as e:  # SymPy raises all kinds
            exact, note = None, f"{type(e).__name__}: {e}"[:200]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        print(json.dumps({"exact": exact, "note": note}), flush=True)


main()
