"""The recurrence S_t = diag(g_t) S_{t-1} + v_t k_t^T, o_t = S_t q_t in JAX, for physlib bench pdr.

Reads lines "name seq what", where what is forward, or both to include the gradient. The reply to each line is the time of one
call, {"Wall": seconds, "CPU": seconds}. The first call for a name, seq and what compiles before the measurement.
Arguments: dim rank.
"""
import json
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

dim, rank = map(int, sys.argv[1:])


def steps(p, v, k, q):
    """The recurrence token by token, with lax.scan."""

    def step(s, x):
        g, v, k, q = x
        s = g[:, None] * s + v[:, None] * k[None, :]
        return s, s @ q

    return jax.lax.scan(step, jnp.zeros((dim, rank)), (jax.nn.sigmoid(p), v, k, q))[1]


def chunks(p, v, k, q, c=32):
    """The recurrence in chunks of c tokens: matrix products with e^C and e^-C inside a chunk, lax.scan from chunk to chunk."""
    n = p.shape[0] // c
    cut = lambda x: x.reshape(n, c, x.shape[-1])
    mask = jnp.tril(jnp.ones((c, c)))

    def chunk(s, x):
        lg, v, k, q = x
        cum = jnp.cumsum(lg, 0)
        o = jnp.exp(cum) * (q @ s.T + (mask * (q @ k.T)) @ (jnp.exp(-cum) * v))
        s = jnp.exp(cum[-1])[:, None] * s + (jnp.exp(cum[-1] - cum) * v).T @ k
        return s, o

    xs = tuple(map(cut, (jax.nn.log_sigmoid(p), v, k, q)))
    return jax.lax.scan(chunk, jnp.zeros((dim, rank)), xs)[1].reshape(p.shape)


def inputs(seq):
    rng = np.random.default_rng(seq)
    draw = lambda width, mean, sd: jnp.asarray(rng.normal(mean, sd, (seq, width)), jnp.float32)
    return draw(dim, 3, 1), draw(dim, 0, 1), draw(rank, 0, rank**-0.5), draw(rank, 0, rank**-0.5)


args, compiled = {}, {}
for line in sys.stdin:
    name, seq, what = line.split()
    if seq not in args:
        args, compiled = {seq: inputs(int(seq))}, {}
    x = args[seq]
    if (name, what) not in compiled:
        f = {"jax-scan": steps, "jax-chunk": chunks}[name]
        if what == "both":
            f = jax.grad(lambda *a, f=f: jnp.sum(f(*a) ** 2), argnums=(0, 1, 2, 3))
        f = compiled[name, what] = jax.jit(f)
        jax.block_until_ready(f(*x))
    wall, cpu = time.perf_counter(), time.process_time()
    jax.block_until_ready(compiled[name, what](*x))
    print(json.dumps({"Wall": time.perf_counter() - wall, "CPU": time.process_time() - cpu}), flush=True)
