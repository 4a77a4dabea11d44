#!/usr/bin/env python3
"""JAX programs of many kinds: lowered here and now, evaluated by tess, compared with JAX.

    PYTHON-WITH-JAX tests/conformance/jax_programs.py --tess build/tess [NAME...]

Each program is a function and its arguments, in the tables below.  JAX runs it on the CPU; tess
evaluates the text that jax.jit(f).lower() gives.  Floating-point results agree if |got - expected|
<= t (1 + |expected|), t = 2e-5 for float32, 1e-10 for float64, 2e-2 for bfloat16 and float16;
others must be equal.  Prints what differs, and how many passed and failed.
"""
import argparse
import functools
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

jax.config.update("jax_enable_x64", True)
PROGRAMS = {}


def program(*arguments, **names):
    """The decorated function on these arguments (functions make theirs when asked)."""
    def keep(f):
        PROGRAMS[f.__name__] = (f, arguments)
        return f
    return keep


def real(*shape, seed=0, dtype="f4", positive=False):
    x = np.random.default_rng(seed).standard_normal(shape)
    return jnp.asarray((np.abs(x) + 0.1 if positive else x), dtype)


def whole(*shape, low=0, high=10, seed=0, dtype="i4"):
    return jnp.asarray(np.random.default_rng(seed).integers(low, high, shape), dtype)


def both(*shape, seed=0, dtype="c8"):
    r = np.random.default_rng(seed)
    return jnp.asarray(r.standard_normal(shape) + 1j * r.standard_normal(shape), dtype)


def spd(n, seed=0, dtype="f4"):
    a = np.random.default_rng(seed).standard_normal((n, n))
    return jnp.asarray(a @ a.T + n * np.eye(n), dtype)


# ---- linear algebra ------------------------------------------------------------------------

@program(spd(6))
def cholesky_grad(a):
    return jax.value_and_grad(lambda a: jnp.linalg.cholesky(a).sum())(a)


@program(real(3, 5, 5, dtype="f8"), real(3, 5, 2, seed=1, dtype="f8"))
def solve_batched(a, b):
    return jnp.linalg.solve(a, b), jnp.linalg.det(a), jnp.linalg.slogdet(a)


@program(real(6, 4))
def qr_both(a):
    q, r = jnp.linalg.qr(a)
    full = jnp.linalg.qr(a, mode="complete")
    return q @ r, jnp.abs(r), jnp.abs(full[0]) @ jnp.ones((6,), "f4")


@program(real(7, 4, dtype="f8"))
def qr_pivoted(a):
    q, r, p = jax.scipy.linalg.qr(a, pivoting=True)
    return jnp.abs(r), p, q @ r


@program(both(5, 3))
def qr_complex(a):
    q, r = jnp.linalg.qr(a)
    return q @ r, jnp.abs(r)


@program(real(5, 3, dtype="f8"))
def svd_three(a):
    u, s, vt = jnp.linalg.svd(a, full_matrices=False)
    return s, (u * s) @ vt, jnp.linalg.svd(a, compute_uv=False), jnp.linalg.pinv(a)


@program(real(4, 6, dtype="f8"))
def svd_by_qr(a):
    u, s, vt = lax.linalg.svd(a, full_matrices=True, algorithm=lax.linalg.SvdAlgorithm.QR)
    return s, (u * s) @ vt[:4]


@program(both(4, 4, dtype="c16"))
def svd_complex(a):
    u, s, vt = jnp.linalg.svd(a)
    return s, (u * s) @ vt


@program(spd(5, dtype="f8"))
def eigh_function(a):
    w, v = jnp.linalg.eigh(a)
    return w, (v * w) @ v.T, jnp.linalg.eigvalsh(a), jax.scipy.linalg.sqrtm(a).real


@program(real(5, 5, dtype="f8"))
def eig_general(a):
    w, v = jnp.linalg.eig(a)
    return jnp.sort(jnp.abs(w)), jnp.abs(a @ v - v * w).max() < 1e-9


@program(both(4, 4, dtype="c16"))
def schur_complex(a):
    t, z = jax.scipy.linalg.schur(a, output="complex")
    return z @ t @ z.conj().T


@program(real(5, 5, dtype="f8"))
def schur_real(a):
    t, z = jax.scipy.linalg.schur(a, output="real")
    return z @ t @ z.T


@program(real(5, 5, dtype="f8"))
def hessenberg(a):
    h, q = jax.scipy.linalg.hessenberg(a, calc_q=True)
    return q @ h @ q.T, jnp.abs(h)


@program(real(6, dtype="f8"), real(6, seed=1, dtype="f8"), real(6, seed=2, dtype="f8"), real(6, 2, seed=3, dtype="f8"))
def tridiagonal(dl, d, du, b):
    return lax.linalg.tridiagonal_solve(dl, d + 5, du, b)


@program(spd(5, dtype="f8"))
def tridiagonal_form(a):
    _, d, e, _ = lax.linalg.tridiagonal(a)
    return d, jnp.abs(e)


@program(real(4, 4, dtype="f8"))
def expm_logm(a):
    return jax.scipy.linalg.expm(a / 4), jnp.linalg.matrix_power(a, 5), jnp.linalg.inv(a)


@program(real(2, 4, 4), real(2, 4, 3, seed=1))
def lu_factor(a, b):
    lu, p = jax.scipy.linalg.lu_factor(a[0])
    return jax.scipy.linalg.lu_solve((lu, p), b[0]), lax.linalg.lu(a)


@program(jnp.tril(real(4, 4, dtype="f8")) + 3 * jnp.eye(4), real(4, 2, seed=1, dtype="f8"))
def triangular(a, b):
    solve = functools.partial(jax.scipy.linalg.solve_triangular, a)
    return solve(b, lower=True), solve(b, lower=True, trans="T"), solve(b, lower=True, unit_diagonal=True)


@program(real(4, 3, dtype="f8"), real(4, seed=2, dtype="f8"))
def lstsq(a, b):
    return jnp.linalg.lstsq(a, b)[0], jnp.linalg.matrix_rank(a), jnp.linalg.cond(a)


@program(real(6, 4, dtype="f8"), real(6, 3, seed=1, dtype="f8"))
def ormqr(a, c):
    packed, taus = lax.linalg.geqrf(a) if hasattr(lax.linalg, "geqrf") else jax._src.lax.linalg.geqrf(a)
    multiply = getattr(jax._src.lax.linalg, "ormqr", None)
    if multiply is None:
        return lax.linalg.householder_product(packed, taus)
    return multiply(packed, taus, c, left=True, transpose=True)


@program(real(3, 3, dtype="f8"), real(2, 2, seed=1, dtype="f8"), real(3, 2, seed=2, dtype="f8"))
def sylvester_kron(a, b, c):
    return jnp.kron(a, b), jnp.linalg.multi_dot([a, c, b]), jnp.linalg.norm(a, 2), jnp.cross(a, a[::-1])


# ---- random numbers ------------------------------------------------------------------------

def drawn(f):
    def run(seed):
        return f(jax.random.key(seed[()]))
    return run


for name, f in {
    "uniform_normal": lambda k: (jax.random.uniform(k, (7, 3)), jax.random.normal(k, (11,)), jax.random.normal(k, (3,), "f8")),
    "truncated": lambda k: jax.random.truncated_normal(k, -1.0, 2.0, (9,)),
    "gamma_beta": lambda k: (jax.random.gamma(k, 2.5, (6,)), jax.random.beta(k, 1.5, 2.0, (5,))),
    "dirichlet": lambda k: jax.random.dirichlet(k, jnp.array([1.0, 2.0, 3.0]), (2,)),
    "poisson_binomial": lambda k: (jax.random.poisson(k, 3.0, (8,)), jax.random.binomial(k, 10, 0.3, (5,))),
    "categorical_choice": lambda k: (jax.random.categorical(k, jnp.arange(5.0), shape=(6,)),
                                     jax.random.choice(k, 20, (7,), replace=False), jax.random.permutation(k, 13)),
    "randint_bits": lambda k: (jax.random.randint(k, (9,), -5, 77), jax.random.bits(k, (5,), "uint8"),
                               jax.random.bits(k, (5,), "uint64"), jax.random.bernoulli(k, 0.3, (10,))),
    "split_fold": lambda k: (jax.random.key_data(jax.random.split(k, 5)), jax.random.key_data(jax.random.fold_in(k, 77))),
    "laplace_cauchy": lambda k: (jax.random.laplace(k, (5,)), jax.random.cauchy(k, (5,)), jax.random.gumbel(k, (5,)),
                                 jax.random.logistic(k, (4,)), jax.random.exponential(k, (4,))),
    "multivariate": lambda k: jax.random.multivariate_normal(k, jnp.zeros(3), jnp.eye(3) + 0.5, (4,)),
    "orthogonal_ball": lambda k: (jnp.abs(jax.random.orthogonal(k, 4)), jax.random.ball(k, 3, shape=(4,))),
    "rademacher": lambda k: (jax.random.rademacher(k, (9,)), jax.random.t(k, 3.0, (4,)), jax.random.chisquare(k, 3.0, shape=(4,))),
}.items():
    PROGRAMS["random_" + name] = (drawn(f), (jnp.asarray(42),))


@program(jnp.asarray(7))
def random_rbg(seed):
    k = jax.random.key(seed[()], impl="rbg")
    return jax.random.bits(k, (3, 5), "uint32"), jax.random.uniform(k, (4,))


@program(jnp.asarray(7))
def random_unsafe_rbg(seed):
    k = jax.random.key(seed[()], impl="unsafe_rbg")
    return jax.random.normal(k, (5, 3)), jax.random.key_data(jax.random.split(k, 3))


# ---- control flow ----------------------------------------------------------------------------

@program(real(5), jnp.asarray(3))
def switch_while(x, n):
    y = lax.switch(n % 4, [jnp.sin, jnp.cos, lambda v: v * 2, lambda v: v - 1], x)
    z, i = lax.while_loop(lambda c: (c[0].sum() < 50) & (c[1] < 20), lambda c: (c[0] * 1.5 + 1, c[1] + 1), (y, 0))
    return y, z, i


@program(real(6, 4))
def scan_reverse(x):
    def step(c, v):
        return c * 0.5 + v, (c.sum(), v.max())
    return lax.scan(step, jnp.zeros(4), x, reverse=True, unroll=2)


@program(real(5, 3))
def scan_grad(w):
    def loss(w):
        def step(c, row):
            return jnp.tanh(c @ jnp.outer(row, row) + row), None
        return lax.scan(step, jnp.ones(3), w)[0].sum()
    return jax.grad(loss)(w), jax.jvp(loss, (w,), (jnp.ones_like(w),))


@program(real(4))
def fori_custom(x):
    return lax.fori_loop(2, 9, lambda i, v: v + jnp.sin(v * i), x), jax.hessian(lambda v: (v ** 3).sum() * v[0])(x)


@program(real(5, positive=True))
def custom_root(x):
    def f(y):
        return y ** 3 - x
    solve = lax.custom_root(f, jnp.ones_like(x), lambda g, y0: lax.fori_loop(0, 30, lambda _, y: y - g(y) / (3 * y * y), y0),
                            lambda g, y: y / g(jnp.ones_like(y)))
    return solve


@program(real(16), real(16, seed=1))
def associative(a, b):
    return lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (a, b)), lax.associative_scan(jnp.maximum, a, reverse=True)


@program(real(9), whole(9, high=2, dtype="i4"))
def cond_nested(x, c):
    def one(v, k):
        return lax.cond(k > 0, lambda u: lax.cond(u > 0, jnp.sqrt, jnp.abs, u), lambda u: -u, v)
    return jax.vmap(one)(x, c), one(x[0], c[0])


@program(real(8, 8, dtype="f8"), real(8, seed=1, dtype="f8"))
def conjugate_gradient(a, b):
    m = a @ a.T + 8 * jnp.eye(8)
    return jax.scipy.sparse.linalg.cg(lambda v: m @ v, b, maxiter=20)[0]


@program(real(5, dtype="f8"))
def ode(y):
    from jax.experimental.ode import odeint
    return odeint(lambda y, t: -y + jnp.sin(t), y, jnp.linspace(0.0, 1.0, 4))


@program(real(2, dtype="f8"))
def minimise(x):
    return jax.scipy.optimize.minimize(lambda v: ((v - jnp.array([1.0, 2.0])) ** 2).sum() + v[0] ** 4, x, method="BFGS").x


# ---- indexing -----------------------------------------------------------------------------------

@program(real(6, 5), whole(4, low=-8, high=8), real(4, 5, seed=1))
def at_modes(x, i, u):
    return (x.at[i].set(u, mode="drop"), x.at[i].add(u, mode="clip"), x.at[i].max(u, mode="promise_in_bounds") if False else x.at[i].max(u),
            x.at[i].get(mode="fill", fill_value=7), x.at[i].multiply(u), x.at[::2, 1:3].min(0.5))


@program(real(4, 5, 6), whole(3, high=4), whole(3, high=6, seed=1))
def advanced_index(x, i, j):
    return x[i, :, j], x[i][:, 1::2], x[..., j], x[i[:, None], 2, j[None, :]], x[:, None, ::-1, 3]


@program(real(7, 3), whole(5, high=7))
def take_family(x, i):
    return (jnp.take(x, i, axis=0), jnp.take_along_axis(x, jnp.argsort(x, 0), 0), jnp.compress(jnp.array([1, 0, 1], bool), x, axis=1, size=2),
            jnp.nonzero(x > 0, size=6), jnp.where(x > 0, x, 0), jnp.argwhere(x > 1, size=3))


@program(real(10), whole(10, high=4))
def segments(x, s):
    return (jax.ops.segment_sum(x, s, 4), jax.ops.segment_max(x, s, 5), jax.ops.segment_prod(x, s, 4), jnp.bincount(s, length=6),
            jax.ops.segment_min(x, s, 4))


@program(real(5, 4), jnp.asarray(1), jnp.asarray(7))
def dynamic_index(x, i, j):
    return (lax.dynamic_slice(x, (i, j), (2, 3)), lax.dynamic_update_slice(x, jnp.zeros((2, 2)).astype(x.dtype), (j, i)),
            lax.dynamic_index_in_dim(x, -1), jax.vmap(lambda r, k: lax.dynamic_slice(r, (k,), (2,)))(x, jnp.arange(5)))


@program(real(6, 6), real(3, 2, 2, seed=1))
def scatter_windows(x, u):
    numbers = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
    i = jnp.array([[0, 0], [3, 4], [2, 1]])
    return lax.scatter_add(x, i, u, numbers), lax.scatter_mul(x, i, u, numbers), lax.scatter(x, i, u, numbers, mode="clip")


@program(real(4, 8))
def gather_grad(x):
    i = jnp.array([[0, 2], [1, 1], [3, 7]])
    return jax.grad(lambda v: (v[i[:, 0], i[:, 1]] ** 2).sum())(x), jax.jacobian(lambda v: v[1, 2:5] * v[2, 1])(x)


@program(whole(12, high=5), real(12))
def unique_sets(k, x):
    return (jnp.unique(k, size=6, fill_value=-1, return_counts=True), jnp.searchsorted(jnp.sort(x), x[:3]), jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])),
            jnp.isin(k, jnp.array([1, 3])), jnp.histogram(x, bins=4))


# ---- sorting ------------------------------------------------------------------------------------

@program(real(5, 9), whole(5, 9))
def sorts(x, k):
    return (jnp.sort(x, axis=0), jnp.argsort(k, axis=1), lax.sort((k, x), num_keys=2), lax.top_k(x, 3), jnp.median(x, axis=1),
            jnp.percentile(x, 30.0), jnp.quantile(x, jnp.array([0.1, 0.9]), axis=0), jnp.partition(x, 3), jnp.lexsort((k[0], k[1])))


@program(real(3, 40))
def approximate_top_k(x):
    return lax.approx_max_k(x, 5), lax.approx_min_k(x, 4), lax.approx_max_k(x, 3, reduction_dimension=0)


@program(jnp.array([3.0, jnp.nan, -0.0, 0.0, -jnp.inf, jnp.inf, -jnp.nan], "f4"))
def sort_odd(x):
    return jnp.sort(x), jnp.argsort(x), jnp.max(x), jnp.nanmax(x), jnp.argmax(x), jnp.nanmin(x), lax.top_k(x, 3)[1], jnp.nan_to_num(x)


@program(both(8))
def sort_complex(x):
    return jnp.sort(x), jnp.argsort(x)


# ---- windows, convolutions ----------------------------------------------------------------------

@program(real(2, 3, 8, 8), real(4, 3, 3, 3, seed=1))
def conv_2d(x, k):
    conv = lax.conv_general_dilated
    return (conv(x, k, (1, 1), "SAME"), conv(x, k, (2, 1), [(1, 2), (0, 1)], lhs_dilation=(1, 2), rhs_dilation=(2, 1)),
            jax.grad(lambda k: (conv(x, k, (2, 2), "VALID") ** 2).sum())(k), jax.grad(lambda x: (conv(x, k, (1, 1), "SAME") ** 2).sum())(x))


@program(real(2, 9, 4), real(3, 1, 8, seed=1))
def conv_depthwise(x, k):
    return lax.conv_general_dilated(x, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=4)


@program(real(1, 5, 5, 3), real(3, 3, 3, 2, seed=1))
def conv_transpose(x, k):
    return lax.conv_transpose(x, k, (2, 2), "SAME"), jnp.convolve(x[0, 0, :, 0], k[0, :, 0, 0]), jax.scipy.signal.convolve2d(x[0, :, :, 0], k[:, :, 0, 0])


@program(real(1, 4, 4, 4, 2), real(2, 2, 2, 2, 3, seed=1))
def conv_3d(x, k):
    return lax.conv_general_dilated(x, k, (1, 2, 1), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@program(real(4, 6, 6))
def pools(x):
    w = lambda f, init: lax.reduce_window(x, init, f, (1, 3, 2), (1, 2, 1), "SAME")
    return (w(lax.max, -jnp.inf), w(lax.add, 0.0), w(lax.min, jnp.inf),
            jax.grad(lambda v: (lax.reduce_window(v, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID") ** 2).sum())(x))


@program(real(5, 7))
def cumulative(x):
    return (jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1, reverse=True), lax.cumlogsumexp(x, 0), lax.cummin(x, 0),
            jnp.diff(x, axis=1), jnp.gradient(x[0]), jnp.cumsum(x.astype("i4"), 1, dtype="i8"))


@program(real(1, 6, 6, 3))
def image_resize(x):
    return (jax.image.resize(x, (1, 9, 4, 3), "bilinear"), jax.image.resize(x, (1, 3, 3, 3), "cubic"), jax.image.resize(x, (1, 12, 5, 3), "nearest"),
            jax.scipy.ndimage.map_coordinates(x[0, :, :, 0], [jnp.array([0.5, 2.2]), jnp.array([1.1, 4.9])], order=1))


@program(real(2, 8, 8, 3))
def patches(x):
    return lax.conv_general_dilated_patches(x, (3, 3), (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


# ---- element by element -------------------------------------------------------------------------

@program(real(40) * 3, real(40, seed=1, positive=True))
def special_functions(x, p):
    s = jax.scipy.special
    return (s.gammaln(p), s.digamma(p), s.erf(x), s.erfc(x), s.erfinv(jnp.tanh(x)), s.i0e(x), s.i1e(x), s.i0(x), s.expit(x), s.logit(jax.nn.sigmoid(x)),
            s.xlogy(p, p), s.entr(p), s.ndtr(x), s.log_ndtr(x), s.ndtri(jax.nn.sigmoid(x)), s.betaln(p, p + 1), s.gammainc(p, p), s.gammaincc(p, p + 1),
            s.betainc(p, p + 1, jax.nn.sigmoid(x)), s.zeta(p + 1.5, p), s.polygamma(2, p), s.multigammaln(p + 2, 2), s.expn(2, p), s.logsumexp(x), s.sinc(x) if hasattr(s, "sinc") else jnp.sinc(x))


@program(real(30, dtype="f8") * 2)
def elementwise_double(x):
    return (jnp.sinh(x), jnp.arctan(x), jnp.arcsinh(x), jnp.exp2(x), jnp.expm1(x), jnp.log1p(jnp.abs(x)), jnp.cbrt(x), jnp.rint(x), jnp.trunc(x), jnp.floor(x),
            jnp.fmod(x, 0.7), jnp.remainder(x, 0.7), jnp.hypot(x, 1.0), jnp.arctan2(x, x[::-1]), jnp.copysign(x, -1.0), jnp.ldexp(x, 3), jnp.frexp(x), jnp.modf(x),
            jnp.nextafter(x, 0.0), jnp.heaviside(x, 0.5), jnp.sign(x), jnp.spacing(x), jnp.logaddexp(x, 0.1), jnp.signbit(x), jnp.float_power(jnp.abs(x), 1.7), x ** 5, jnp.arccosh(1 + jnp.abs(x)))


@program(both(20, dtype="c16"))
def elementwise_complex(z):
    return (jnp.exp(z), jnp.log(z), jnp.sqrt(z), jnp.sin(z), jnp.cos(z), jnp.tan(z), jnp.tanh(z), jnp.arcsin(z), jnp.arccos(z), jnp.arctan(z), jnp.sinh(z), jnp.arcsinh(z),
            jnp.abs(z), jnp.angle(z), z ** 2.5, z * z[::-1] / (z + 1), jnp.conj(z), jnp.log1p(z), jnp.expm1(z), jnp.sign(z), jnp.isfinite(z), jnp.square(z), jnp.reciprocal(z), z.sum(), z.prod(), jnp.arctanh(z), jnp.arccosh(z), jnp.cosh(z))


@program(whole(16, low=-100, high=100, dtype="i4"), whole(16, low=1, high=9, seed=1, dtype="i4"))
def integers(a, b):
    return (a // b, a % b, lax.div(a, b), lax.rem(a, b), a << b, a >> b, lax.shift_right_logical(a, b), a ^ b, ~a, lax.population_count(a), lax.clz(a), jnp.gcd(a, b), jnp.lcm(a, b),
            a ** 3, jnp.bitwise_count(a), a.astype("i1"), a.astype("u1"), jnp.packbits((a > 0).astype("u1")), jnp.left_shift(a, 33), jnp.abs(a.astype("i1")), divmod(a, -b), jnp.float32(a) ** b)


@program(real(12) * 50)
def casts(x):
    return (x.astype("i1"), x.astype("u2"), x.astype(jnp.bfloat16), x.astype("f2"), x.astype(jnp.float8_e4m3fn).astype("f4"), x.astype(jnp.float8_e5m2).astype("f4"),
            lax.bitcast_convert_type(x, "i4"), lax.bitcast_convert_type(x, "u1"), x.astype(bool), lax.reduce_precision(x, 5, 4), x.astype("c8"), (x > 0).astype("f8"), x.astype(jnp.int4).astype("i4"),
            lax.bitcast_convert_type(x.astype("f2").reshape(6, 2), "f4"))


@program(real(6, 10).astype(jnp.bfloat16), real(10, 4, seed=1).astype(jnp.bfloat16))
def bfloat16_ops(x, w):
    return (x @ w, jax.nn.gelu(x), x.sum(0), jax.nn.softmax(x), jnp.einsum("ij,jk->k", x, w, preferred_element_type="f4"), x.mean(), jnp.exp(x))


@program(real(8, 16, dtype="f2"))
def half_ops(x):
    return jax.nn.softmax(x, 0), x @ x.T, jnp.var(x, 1), jax.nn.silu(x), x.max(1), jnp.cumsum(x, 0)


@program(whole(8, 16, low=-100, high=100, dtype="i1"), whole(16, 4, low=-100, high=100, seed=1, dtype="i1"))
def int8_products(a, b):
    return lax.dot(a, b, preferred_element_type="i4"), a @ b, jnp.einsum("ij,ij->i", a, a, preferred_element_type="i4")


@program(real(5, 8))
def activations(x):
    n = jax.nn
    return (n.relu(x), n.gelu(x), n.gelu(x, approximate=False), n.silu(x), n.elu(x), n.selu(x), n.celu(x), n.softplus(x), n.log_sigmoid(x), n.glu(x), n.hard_tanh(x), n.hard_swish(x), n.leaky_relu(x),
            n.log_softmax(x), n.logsumexp(x, 1), n.standardize(x), n.one_hot(jnp.array([1, 3, 9]), 5), n.mish(x), n.squareplus(x), n.sparse_plus(x), n.relu6(x))


# ---- shapes, reductions -------------------------------------------------------------------------

@program(real(2, 3, 4))
def shapes(x):
    return (x.transpose(2, 0, 1).reshape(4, 6), jnp.roll(x, (1, -2), (0, 2)), jnp.flip(x, 1), jnp.rot90(x[0]), jnp.tile(x, (1, 2, 1)), jnp.repeat(x, 2, axis=1), jnp.pad(x, ((1, 0), (0, 2), (1, 1)), mode="reflect"),
            jnp.pad(x, 1, mode="wrap"), jnp.pad(x, 1, mode="edge"), jnp.pad(x, 2, mode="linear_ramp"), jnp.stack([x, x], 1), jnp.split(x, 2, 2), jnp.tril(x), jnp.triu(x, 1), jnp.diag(x[0, :, 0]), jnp.trace(x), jnp.squeeze(x[:1]), jnp.moveaxis(x, 0, -1),
            jnp.repeat(x[0, 0], jnp.array([1, 0, 2, 1]), total_repeat_length=4), jnp.block([[x[0], x[1]], [x[1], x[0]]]), jnp.meshgrid(x[0, 0], x[1, 1, :2]), lax.broadcasted_iota("i4", (2, 3), 1), jnp.vander(x[0, 0]), jnp.tri(3), jnp.indices((2, 2)))


@program(real(4, 5, 6))
def reductions(x):
    return (x.prod((0, 2)), x.var(1, ddof=1), x.std(), jnp.any(x > 2, 1), jnp.all(x < 2), x.argmax(2), x.argmin(0), jnp.linalg.norm(x, axis=-1), jnp.ptp(x, 0), jnp.nansum(x), jnp.average(x, 0, weights=jnp.arange(4.0)),
            jnp.count_nonzero(x > 0, 0), lax.reduce(x, jnp.float32(1), lambda a, b: a * b + 0.0 * a, (1,)) if False else x.min(), lax.reduce((x > 0), False, lax.bitwise_or, (0, 1)), jnp.corrcoef(x[0]), jnp.cov(x[0]), lax.reduce_xor((x * 100).astype("i4"), (0,)))


@program(real(3, 4, 5), real(5, 4, 6, seed=1))
def einsums(a, b):
    return (jnp.einsum("ijk,kjl->il", a, b), jnp.einsum("ijk,kjl->ijl", a, b), jnp.einsum("iij->j", a[:, :3]), jnp.tensordot(a, b, ((2, 1), (0, 1))), jnp.inner(a, a), jnp.outer(a[0, 0], b[0, 0]), jnp.vdot(a, a), jnp.matmul(a, b[:, :, :][:1].transpose(0, 2, 1)[:, :5] if False else b[:3].transpose(0, 2, 1)[:, :5, :]),
            jnp.einsum("bij,bkj->bik", a, a, precision="highest"))


@program(real(0, 3), real(3, 0))
def empties(a, b):
    return a.sum(0), b @ a, a @ jnp.ones((3, 2), "f4"), jnp.sort(a, 0), jnp.concatenate([a, jnp.ones((2, 3), "f4")]), a.T, jnp.cumsum(a, 0), a[:0]


@program(real(8, 3, dtype="f8"))
def ffts(x):
    z = x + 1j * x[::-1]
    f = jnp.fft
    return f.fft(z, axis=0), f.ifft(z, axis=0), f.rfft(x, axis=0), f.irfft(f.rfft(x, axis=0), 8, axis=0), f.fft2(z), f.rfft2(x), f.fftshift(x), f.fftfreq(8), f.fft(z, 5, axis=0), f.hfft(z[:, 0]), jax.scipy.fft.dct(x, axis=0), f.irfft(z[:4, 0], 7), f.fftn(z)


@program(real(3, 6), real(4, 6, seed=1))
def vmaps(a, b):
    pair = jax.vmap(jax.vmap(lambda u, v: jnp.sum((u - v) ** 2), (None, 0)), (0, None))(a, b)
    return pair, jax.vmap(jnp.linalg.qr)(jnp.stack([a[:, :3], a[:, 3:]]))[1].shape[0] + pair, jax.vmap(jnp.searchsorted)(jnp.sort(a, 1), b[:3]), jax.vmap(jnp.roll)(a, jnp.arange(3)), jax.vmap(lambda r, i: r.at[i].set(0))(a, jnp.arange(3))


@program(real(4, 6), real(6, 5, seed=1), real(5, seed=2))
def derivatives(x, w, b):
    def loss(w, b):
        return jnp.log(jnp.cosh(x @ w + b)).mean() + jnp.linalg.norm(w)
    return jax.grad(loss, (0, 1))(w, b), jax.jvp(lambda b: loss(w, b), (b,), (b,)), jax.hessian(lambda b: loss(w, b))(b), jax.jacfwd(lambda b: jnp.outer(b, b))(b), jax.checkpoint(lambda w: jax.grad(loss)(w, b))(w)


# ---- networks -----------------------------------------------------------------------------------

@program(real(2, 6, 8), real(2, 6, 8, seed=1), real(2, 6, 8, seed=2))
def attention(q, k, v):
    heads = [t.reshape(2, 6, 2, 4) for t in (q, k, v)]
    return jax.nn.dot_product_attention(*heads, is_causal=True), jax.grad(lambda q: jax.nn.dot_product_attention(q, *heads[1:]).sum())(heads[0])


@program(real(12, 4), real(3, 4, 5, seed=1), jnp.array([5, 3, 4], "i4"))
def ragged_products(x, w, sizes):
    return lax.ragged_dot(x, w, sizes), jax.grad(lambda w: (lax.ragged_dot(x, w, sizes) ** 2).sum())(w)


@program(real(6, 10), whole(6, high=10))
def cross_entropy(x, y):
    def loss(x):
        return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()
    return jax.value_and_grad(loss)(x)


@program(real(5, 8), real(8, 8, seed=1), real(8, 8, seed=2))
def gru(x, w, u):
    def step(h, v):
        z = jax.nn.sigmoid(v @ w + h @ u)
        return (1 - z) * h + z * jnp.tanh(v @ u + (z * h) @ w), h
    return lax.scan(step, jnp.zeros(8), x)


@program(real(4, 3, 16))
def layer_norms(x):
    def norm(x):
        m = x.mean(-1, keepdims=True)
        return (x - m) * lax.rsqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5)
    return norm(x), jax.grad(lambda v: (norm(v) ** 3).sum())(x), x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)


@program(real(6, 6), whole(6, high=3))
def ctc_and_graph(x, s):
    adjacency = (x > 0).astype("f4")
    degree = adjacency.sum(1) + 1
    return (adjacency @ x) / degree[:, None], jax.ops.segment_sum(x, s, 3) @ x[:, :2], jnp.linalg.matrix_power(adjacency, 3)


@program(real(3, 7))
def composites(x):
    f = lax.composite(lambda v: jnp.sin(v) * 2, "my.sin2")
    return f(x), lax.optimization_barrier((x, x + 1)), jax.named_call(jnp.cos, name="c")(x)


@program(real(4, 4), real(4, seed=1))
def barriers_callbacks_free(x, y):
    return lax.stop_gradient(x) @ y, lax.full_like(x, 3), lax.expand_dims(y, (0, 2)), lax.clamp(-0.5, x, 0.5), lax.select_n(x > 0, x, -x), lax.rng_uniform(0.0, 0.0001, (2,)) < 1


@program(whole(20, high=256, dtype="u1"))
def bits(x):
    return jnp.unpackbits(x), jnp.packbits(x > 100), jnp.flip(jnp.unpackbits(x).reshape(-1, 8), 1), x.view("i1") if hasattr(x, "view") else x, x.astype("u4") * jnp.uint32(2654435761) >> 16


@program(real(5, 5))
def games(x):
    life = (x > 0).astype("i4")
    total = sum(jnp.roll(life, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - life
    return jnp.where(life == 1, (total == 2) | (total == 3), total == 3)


@program(real(50))
def signal(x):
    s = jax.scipy.signal
    return s.detrend(x), s.stft(x, nperseg=16)[2], s.welch(x, nperseg=16)[1], s.fftconvolve(x, x[:7]), jnp.correlate(x, x[:5]), jnp.interp(x[:5], jnp.sort(x), jnp.arange(50.0)), jnp.polyfit(jnp.arange(50.0), x, 2), jnp.polyval(x[:4], x[4:8]), jnp.trapezoid(x), jnp.roots(x[:4], strip_zeros=False).sum()


@program(real(4, 3), real(4, seed=1, positive=True))
def statistics(x, p):
    t = jax.scipy.stats
    return t.norm.logpdf(x), t.gamma.logpdf(p, 2.0), t.beta.logpdf(p / 10, 2.0, 3.0), t.poisson.logpmf(jnp.array([1, 2]), 3.0), t.t.logpdf(x, 4.0), t.multivariate_normal.logpdf(x, jnp.zeros(3), jnp.eye(3)), t.norm.cdf(x), t.gaussian_kde(p)(p), t.rankdata(x[:, 0]), t.mode(jnp.round(x)).mode


@program(whole(5, 5, high=2, dtype="u1"))
def booleans(x):
    b = x.astype(bool)
    return b & b.T, b | ~b, jnp.logical_xor(b, b.T), b.any(0), b.all(1), b.sum(), jnp.where(b, 1, 2), b.astype("f4") @ b.astype("f4"), jnp.cumsum(b), b.argmax(1), lax.reduce_and(b, (0,)), b @ b


@program(real(6, 4))
def quantised(x):
    scale = jnp.abs(x).max(0) / 127
    q = jnp.clip(jnp.round(x / scale), -127, 127).astype("i1")
    return q, q.astype("f4") * scale, lax.dot_general(q, q, (((0,), (0,)), ((), ())), preferred_element_type="i4")


# ---- comparing ----------------------------------------------------------------------------------

def tolerance(dtype):
    if dtype in (jnp.bfloat16, np.float16):
        return 2e-2
    return 1e-10 if dtype in (np.float64, np.complex128) else 2e-5


def difference(got, want):
    if got.dtype != want.dtype and got.dtype.itemsize == want.dtype.itemsize and got.dtype.kind in "uV":
        got = got.view(want.dtype)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, JAX has {want.dtype}{list(want.shape)}"
    if not jnp.issubdtype(want.dtype, np.inexact):
        bad = got != want
        return f"{bad.sum()} of {bad.size} differ" if bad.any() else None
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    with np.errstate(all="ignore"):
        error = np.abs(a - b) / (1 + np.abs(b))
    error = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, error)
    error = np.where(np.isnan(error), np.inf, error)
    return f"error {error.max():.3g}" if error.size and error.max() > tolerance(want.dtype) else None


def judge(tess, f, arguments):
    lowered = jax.jit(f, keep_unused=True).lower(*arguments)
    want = jax.tree.leaves(lowered.compile()(*arguments))
    with tempfile.TemporaryDirectory() as folder:
        text, given, out = (os.path.join(folder, n) for n in ("p.mlir", "in.npz", "out.npz"))
        with open(text, "w", encoding="utf-8") as file:
            file.write(lowered.as_text())
        arrays = [np.asarray(a) for a in jax.tree.leaves(arguments)]
        np.savez(given, **{f"in{i}": a.view("u2") if a.dtype == jnp.bfloat16 else a for i, a in enumerate(arrays)})
        try:
            done = subprocess.run(tess.split() + ["eval", text, "--inputs", given, "--outputs", out], capture_output=True,
                                  text=True, errors="replace", timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return "no end after 60 s"
        if done.returncode:
            return next((x for x in done.stderr.splitlines() if "error" in x), f"status {done.returncode}")[:200]
        results = np.load(out)
        for i, w in enumerate(want):
            wrong = difference(results[f"out{i}"], np.asarray(w))
            if wrong:
                return f"result {i}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tess", default="build/tess")
    parser.add_argument("names", nargs="*", help="only programs whose names contain one of these")
    options = parser.parse_args()
    passed, failed = 0, []
    for name, (f, arguments) in PROGRAMS.items():
        if options.names and not any(n in name for n in options.names):
            continue
        try:
            wrong = judge(options.tess, f, arguments)
        except Exception as e:  # JAX has no such function, or refuses
            print(f"{name}: not applicable: {type(e).__name__}: {str(e).splitlines()[0][:150]}", flush=True)
            continue
        if wrong:
            print(f"{name}: {wrong}", flush=True)
            failed.append(name)
        else:
            passed += 1
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
