#!/usr/bin/env python3
"""Writes golden.json: what JAX and NumPy say about the layers of package nn, in float64.

    pip install jax==0.10.2 numpy==2.4.6
    python3 physlib/nn/testdata/golden.py > physlib/nn/testdata/golden.json

Inputs and weights are not stored: both sides compute them by wave(), from the name and the shape. RoPE is NumPy's complex
multiplication, attention jax.nn.dot_product_attention, the depthwise convolution jax.lax.conv_general_dilated.
"""
import json
import sys

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp


def wave(name, *shape):
    """The input or weight of that name: deterministic, between -1 and 1, rounded to float32."""
    i = np.arange(int(np.prod(shape)), dtype=np.float64)
    phase = 0.1 * sum(name.encode())
    return np.sin(1.3 * i + 0.001 * i * i + phase).astype(np.float32).astype(np.float64).reshape(shape)


def var(path, *shape):
    """A variable: wave/2, and about 1 for scales."""
    v = wave(path, *shape)
    v = 1 + v / 4 if path.endswith("/scale") else v / 2
    return v.astype(np.float32).astype(np.float64)


def linear(s, x, out, bias=True):
    y = x @ var(s + "/w", x.shape[-1], out)
    return y + var(s + "/b", out) if bias else y


def lora(s, x, out, rank, alpha):
    a, b = var(s + "/lora/a", x.shape[-1], rank), var(s + "/lora/b", rank, out)
    return linear(s, x, out) + alpha / rank * (x @ a @ b)


def layer_norm(s, x):
    d = x.shape[-1]
    y = (x - np.mean(x, -1, keepdims=True)) / np.sqrt(np.var(x, -1, keepdims=True) + 1e-5)
    return y * var(s + "/scale", d) + var(s + "/offset", d)


def rms_norm(s, x):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + 1e-6) * var(s + "/scale", x.shape[-1])


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


def feed_forward(s, x, hidden):
    return linear(s + "/down", gelu(linear(s + "/up", x, hidden)), x.shape[-1])


def swiglu(s, x, hidden):
    return linear(s + "/down", jax.nn.silu(linear(s + "/gate", x, hidden)) * linear(s + "/up", x, hidden), x.shape[-1])


def depthwise(s, x, width):
    k = var(s + "/k", width, x.shape[-1])
    y = jax.lax.conv_general_dilated(x, k[:, None, :], (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"),
                                     feature_group_count=x.shape[-1])
    return y + var(s + "/b", x.shape[-1])


def conv_swiglu(s, x, hidden):
    gate = depthwise(s + "/gate_conv", linear(s + "/gate", x, hidden), 5)
    up = depthwise(s + "/up_conv", linear(s + "/up", x, hidden), 5)
    return linear(s + "/down", jax.nn.silu(gate) * up, x.shape[-1])


def attention(s, x, memory, heads, kv_heads=None, mask=None, window=None, causal=False, qk_norm=False, rotary=None):
    kv_heads, dim = kv_heads or heads, x.shape[-1]
    d = dim // heads
    split = lambda y, n: y.reshape(y.shape[0], y.shape[1], n, d)
    q = split(linear(s + "/query", x, heads * d), heads)
    k = split(linear(s + "/key", memory, kv_heads * d), kv_heads)
    v = split(linear(s + "/value", memory, kv_heads * d), kv_heads)
    if qk_norm:
        q, k = rms_norm(s + "/query_norm", q), rms_norm(s + "/key_norm", k)
    if rotary:
        q, k = rotary(q), rotary(k)
    o = jax.nn.dot_product_attention(jnp.array(q), jnp.array(k), jnp.array(v), mask=mask, is_causal=causal,
                                     local_window_size=None if window is None else (window - 1, window - 1))
    return linear(s + "/output", np.array(o).reshape(x.shape[0], x.shape[1], dim), dim)


def rope(axes, known=None, unknown=None):
    """axes: (position [batch, seq], base) each; x's pairs (2i, 2i+1) are complex numbers, multiplied by exp(iθ)."""

    def turn(x):
        share = x.shape[-1] // len(axes)
        theta = np.concatenate([p[..., None] * b ** (-np.arange(0, share, 2) / share) for p, b in axes], -1)
        if known is not None:
            theta = np.where(known[..., None], theta, unknown)
        z = (np.array(x[..., 0::2]) + 1j * np.array(x[..., 1::2])) * np.exp(1j * theta)[:, :, None, :]
        return np.stack([z.real, z.imag], -1).reshape(x.shape)

    return turn


def sinusoidal(p, dim):
    f = 10000.0 ** (-np.arange(0, dim, 2) / dim)
    angle = p[..., None] * f
    return np.stack([np.sin(angle), np.cos(angle)], -1).reshape(*p.shape, dim)


def mab(s, x, y, heads, hidden, mask=None, post=False):
    if post:
        h = layer_norm(s + "/norm_x", x + attention(s + "/attention", x, y, heads, mask=mask))
        return layer_norm(s + "/norm_h", h + feed_forward(s + "/feed", h, hidden))
    h = x + attention(s + "/attention", layer_norm(s + "/norm_x", x), layer_norm(s + "/norm_y", y), heads, mask=mask)
    return h + feed_forward(s + "/feed", layer_norm(s + "/norm_h", h), hidden)


def learned(path, n, x):
    return np.broadcast_to(var(path, n, x.shape[-1]), (x.shape[0], n, x.shape[-1]))


def isab(s, x, heads, hidden, m, mask=None, post=False):
    return mab(s + "/spread", x, mab(s + "/gather", learned(s + "/inducing", m, x), x, heads, hidden, mask, post), heads, hidden, None, post)


def mean(x, present):
    w = present[..., None].astype(np.float64)
    return (x * w).sum(1, keepdims=True) / np.maximum(w.sum(1, keepdims=True), 1)


def mlp(first, second, x, hidden, out):
    return linear(second, gelu(linear(first, x, hidden)), out)


B, S, T, D = 2, 5, 4, 16
x, memory, long = wave("x", B, S, D), wave("memory", B, T, D), wave("long", 1, 19, D)
present = np.array([[True, True, True, False], [True, False, True, True]])
here = np.array([[True, True, False, True, True], [True, True, True, True, False]])
depth = np.array([[0, 1, 2, 2, 1], [0, 1, 2, 3, 1]], np.float64)
across = np.array([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]], np.float64)
value = 10 ** (3 * wave("value", B, S))
progress = np.array([0.25, 1.0])
place = np.broadcast_to(np.arange(S, dtype=np.float64), (B, S))
key_mask = present[:, None, None, :]
unknown = var("/c/unknown", 4)
tree = [(depth, 1e4), (across, 1e4), (depth + across, 1e4), (depth - across, 1e4)]
step = sinusoidal(1000 * progress[:, None], D)
ids = np.array([[0, 6, 3], [2, 2, 5]])

cases = {
    "linear": linear("/c", x, 3),
    "linear_no_bias": linear("/c", x, 3, bias=False),
    "lora": lora("/c", x, 3, 2, 8),
    "layer_norm": layer_norm("/c", x),
    "rms_norm": rms_norm("/c", x),
    "gelu": gelu(3 * x),
    "silu": jax.nn.silu(3 * x),
    "feed_forward": feed_forward("/c", x, 12),
    "swiglu": swiglu("/c", x, 12),
    "conv_swiglu": conv_swiglu("/c", x, 12),
    "attention": attention("/c", x, memory, 2, mask=key_mask),
    "attention_gqa": attention("/c", x, x, 4, kv_heads=2, window=2, qk_norm=True),
    "attention_causal": attention("/c", long, long, 2, window=3, causal=True),
    "attention_window": attention("/c", long, long, 2, window=3),
    "rope": attention("/c", x, x, 2, rotary=rope([(place, 1e4)])),
    "rope_tree": attention("/c", x, x, 2, rotary=rope(tree, here, unknown)),
    "rope_depth_sibling": attention("/c", x, x, 2, rotary=rope([(depth, 1e4), (across, 1e4)], here, 0.0)),
    "rope_multi_scale": attention("/c", x, x, 2, rotary=rope([(place, 1e4), (np.sign(value) * np.log1p(np.abs(value)), 1e3)])),
    "sinusoidal": sinusoidal(np.arange(7.0), 6),
    "step_encoding": linear("/c/down", jax.nn.silu(linear("/c/up", step, D)), D),
    "token_algebra": x + (1 - progress)[:, None, None] / (1 + np.exp(-var("/c/blend_scale"))) * var("/c/mask_embed", D),
    "mab": mab("/c", x, memory, 2, 12, key_mask, post=True),
    "isab": isab("/c", memory, 2, 12, 3, key_mask),
    "isab_post": isab("/c", memory, 2, 12, 3, key_mask, post=True),
    "pma": mab("/c/pool", learned("/c/seeds", 3, memory), memory, 2, 12, key_mask),
    "deep_set": mlp("/c/rho_up", "/c/rho", mean(mlp("/c/phi_up", "/c/phi", memory, 12, 12), present)[:, 0], 12, 3),
    "deep_set_layer": linear("/c/each", memory, 3) + linear("/c/all", mean(memory, present), 3, bias=False),
    "embedding": var("/c/table", 7, 4)[ids],
}
block = x + attention("/c/self", layer_norm("/c/self_norm", x), layer_norm("/c/self_norm", x), 2)
block = block + attention("/c/cross", layer_norm("/c/cross_norm", block), memory, 4, mask=key_mask)
cases["block"] = block + feed_forward("/c/feed", layer_norm("/c/feed_norm", block), 12)

out = {k: {"shape": list(np.shape(v)), "values": [float(f"{float(e):.7g}") for e in np.ravel(v)]} for k, v in cases.items()}
sys.stdout.write("{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in out.items()) + "\n}\n")
