"""The recurrence S_t = diag(g_t) S_{t-1} + v_t k_t^T, o_t = S_t q_t in JAX, for physlib bench pdr.

Reads lines "name seq", answers each with {"forward": seconds, "both": seconds}. Arguments: dim rank reps.
"""
import json
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

dim, rank, reps = map(int, sys.argv[1:])


def steps(p, v, k, q):
    """Token by token with lax.scan."""

    def step(s, x):
        g, v, k, q = x
        s = g[:, None] * s + v[:, None] * k[None, :]
        return s, s @ q

    return jax.lax.scan(step, jnp.zeros((dim, rank)), (jax.nn.sigmoid(p), v, k, q))[1]


def chunks(p, v, k, q, c=32):
    """Chunks of c tokens, products of matrices with e^C and e^-C inside, lax.scan from chunk to chunk."""
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


def best(f, args):
    jax.block_until_ready(f(*args))
    times = []
    for _ in range(reps):
        t = time.perf_counter()
        jax.block_until_ready(f(*args))
        times.append(time.perf_counter() - t)
    return min(times)


for line in sys.stdin:
    name, seq = line.split()
    rng = np.random.default_rng(int(seq))
    draw = lambda width, mean, sd: jnp.asarray(rng.normal(mean, sd, (int(seq), width)), jnp.float32)
    args = draw(dim, 3, 1), draw(dim, 0, 1), draw(rank, 0, rank**-0.5), draw(rank, 0, rank**-0.5)
    f = {"jax-scan": steps, "jax-chunk": chunks}[name]
    grad = jax.grad(lambda *a: jnp.sum(f(*a) ** 2), argnums=(0, 1, 2, 3))
    print(json.dumps({"forward": best(jax.jit(f), args), "both": best(jax.jit(grad), args)}), flush=True)
