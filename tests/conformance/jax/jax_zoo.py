"""jax_zoo.py: JAX programs of many kinds, with arguments, for jax_programs.py."""

import collections
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

GRID = Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y"))
LINE = Mesh(np.array(jax.devices()), ("d",))
Program = collections.namedtuple("Program", "function arguments how dims")
PROGRAMS = {}


def program(*arguments, how="eval", dims=None):
    """The decorated function on these arguments.  how: "eval", by `tess eval`; "run", partitioned, by
    `tess run`; "platforms", exported for several; "symbolic", exported with the first argument's
    dimensions of these names."""

    def keep(f):
        PROGRAMS[f.__name__] = Program(f, arguments, how, dims)
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


@program(
    real(6, dtype="f8"),
    real(6, seed=1, dtype="f8"),
    real(6, seed=2, dtype="f8"),
    real(6, 2, seed=3, dtype="f8"),
)
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
    return (
        solve(b, lower=True),
        solve(b, lower=True, trans="T"),
        solve(b, lower=True, unit_diagonal=True),
    )


@program(real(4, 3, dtype="f8"), real(4, seed=2, dtype="f8"))
def lstsq(a, b):
    return jnp.linalg.lstsq(a, b)[0], jnp.linalg.matrix_rank(a), jnp.linalg.cond(a)


@program(real(6, 4, dtype="f8"), real(6, 3, seed=1, dtype="f8"))
def ormqr(a, c):
    packed, taus = jax._src.lax.linalg.geqrf(a)
    multiply = getattr(jax._src.lax.linalg, "ormqr", None)
    if multiply is None:
        return lax.linalg.householder_product(packed, taus)
    return multiply(packed, taus, c, left=True, transpose=True)


@program(real(3, 3, dtype="f8"), real(2, 2, seed=1, dtype="f8"), real(3, 2, seed=2, dtype="f8"))
def sylvester_kron(a, b, c):
    return (
        jnp.kron(a, b),
        jnp.linalg.multi_dot([a, c, b]),
        jnp.linalg.norm(a, 2),
        jnp.cross(a, a[::-1]),
    )


# ---- random numbers ------------------------------------------------------------------------


def drawn(f):
    def run(seed):
        return f(jax.random.key(seed[()]))

    return run


for name, f in {
    "uniform_normal": lambda k: (
        jax.random.uniform(k, (7, 3)),
        jax.random.normal(k, (11,)),
        jax.random.normal(k, (3,), "f8"),
    ),
    "truncated": lambda k: jax.random.truncated_normal(k, -1.0, 2.0, (9,)),
    "gamma_beta": lambda k: (jax.random.gamma(k, 2.5, (6,)), jax.random.beta(k, 1.5, 2.0, (5,))),
    "dirichlet": lambda k: jax.random.dirichlet(k, jnp.array([1.0, 2.0, 3.0]), (2,)),
    "poisson_binomial": lambda k: (
        jax.random.poisson(k, 3.0, (8,)),
        jax.random.binomial(k, 10, 0.3, (5,)),
    ),
    "categorical_choice": lambda k: (
        jax.random.categorical(k, jnp.arange(5.0), shape=(6,)),
        jax.random.choice(k, 20, (7,), replace=False),
        jax.random.permutation(k, 13),
    ),
    "randint_bits": lambda k: (
        jax.random.randint(k, (9,), -5, 77),
        jax.random.bits(k, (5,), "uint8"),
        jax.random.bits(k, (5,), "uint64"),
        jax.random.bernoulli(k, 0.3, (10,)),
    ),
    "split_fold": lambda k: (
        jax.random.key_data(jax.random.split(k, 5)),
        jax.random.key_data(jax.random.fold_in(k, 77)),
    ),
    "laplace_cauchy": lambda k: (
        jax.random.laplace(k, (5,)),
        jax.random.cauchy(k, (5,)),
        jax.random.gumbel(k, (5,)),
        jax.random.logistic(k, (4,)),
        jax.random.exponential(k, (4,)),
    ),
    "multivariate": lambda k: jax.random.multivariate_normal(
        k, jnp.zeros(3), jnp.eye(3) + 0.5, (4,)
    ),
    "orthogonal_ball": lambda k: (
        jnp.abs(jax.random.orthogonal(k, 4)),
        jax.random.ball(k, 3, shape=(4,)),
    ),
    "rademacher": lambda k: (
        jax.random.rademacher(k, (9,)),
        jax.random.t(k, 3.0, (4,)),
        jax.random.chisquare(k, 3.0, shape=(4,)),
    ),
}.items():
    PROGRAMS["random_" + name] = Program(drawn(f), (jnp.asarray(42),), "eval", None)


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
    z, i = lax.while_loop(
        lambda c: (c[0].sum() < 50) & (c[1] < 20), lambda c: (c[0] * 1.5 + 1, c[1] + 1), (y, 0)
    )
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
    return lax.fori_loop(2, 9, lambda i, v: v + jnp.sin(v * i), x), jax.hessian(
        lambda v: (v**3).sum() * v[0]
    )(x)


@program(real(5, positive=True))
def custom_root(x):
    def f(y):
        return y**3 - x

    solve = lax.custom_root(
        f,
        jnp.ones_like(x),
        lambda g, y0: lax.fori_loop(0, 30, lambda _, y: y - g(y) / (3 * y * y), y0),
        lambda g, y: y / g(jnp.ones_like(y)),
    )
    return solve


@program(real(16), real(16, seed=1))
def associative(a, b):
    return lax.associative_scan(
        lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (a, b)
    ), lax.associative_scan(jnp.maximum, a, reverse=True)


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


# ---- indexing -----------------------------------------------------------------------------------


@program(real(6, 5), whole(4, low=-8, high=8), real(4, 5, seed=1))
def at_modes(x, i, u):
    return (
        x.at[i].set(u, mode="drop"),
        x.at[i].add(u, mode="clip"),
        x.at[i].max(u),
        x.at[i].get(mode="fill", fill_value=7),
        x.at[i].multiply(u),
        x.at[::2, 1:3].min(0.5),
    )


@program(real(4, 5, 6), whole(3, high=4), whole(3, high=6, seed=1))
def advanced_index(x, i, j):
    return x[i, :, j], x[i][:, 1::2], x[..., j], x[i[:, None], 2, j[None, :]], x[:, None, ::-1, 3]


@program(real(7, 3), whole(5, high=7))
def take_family(x, i):
    return (
        jnp.take(x, i, axis=0),
        jnp.take_along_axis(x, jnp.argsort(x, 0), 0),
        jnp.compress(jnp.array([1, 0, 1], bool), x, axis=1, size=2),
        jnp.nonzero(x > 0, size=6),
        jnp.where(x > 0, x, 0),
        jnp.argwhere(x > 1, size=3),
    )


@program(real(10), whole(10, high=4))
def segments(x, s):
    return (
        jax.ops.segment_sum(x, s, 4),
        jax.ops.segment_max(x, s, 5),
        jax.ops.segment_prod(x, s, 4),
        jnp.bincount(s, length=6),
        jax.ops.segment_min(x, s, 4),
    )


@program(real(5, 4), jnp.asarray(1), jnp.asarray(7))
def dynamic_index(x, i, j):
    return (
        lax.dynamic_slice(x, (i, j), (2, 3)),
        lax.dynamic_update_slice(x, jnp.zeros((2, 2)).astype(x.dtype), (j, i)),
        lax.dynamic_index_in_dim(x, -1),
        jax.vmap(lambda r, k: lax.dynamic_slice(r, (k,), (2,)))(x, jnp.arange(5)),
    )


@program(real(6, 6), real(3, 2, 2, seed=1))
def scatter_windows(x, u):
    numbers = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
    i = jnp.array([[0, 0], [3, 4], [2, 1]])
    return (
        lax.scatter_add(x, i, u, numbers),
        lax.scatter_mul(x, i, u, numbers),
        lax.scatter(x, i, u, numbers, mode="clip"),
    )


@program(real(4, 8))
def gather_grad(x):
    i = jnp.array([[0, 2], [1, 1], [3, 7]])
    return jax.grad(lambda v: (v[i[:, 0], i[:, 1]] ** 2).sum())(x), jax.jacobian(
        lambda v: v[1, 2:5] * v[2, 1]
    )(x)


@program(whole(12, high=5), real(12))
def unique_sets(k, x):
    return (
        jnp.unique(k, size=6, fill_value=-1, return_counts=True),
        jnp.searchsorted(jnp.sort(x), x[:3]),
        jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])),
        jnp.isin(k, jnp.array([1, 3])),
        jnp.histogram(x, bins=4),
    )


# ---- sorting ------------------------------------------------------------------------------------


@program(real(5, 9), whole(5, 9))
def sorts(x, k):
    return (
        jnp.sort(x, axis=0),
        jnp.argsort(k, axis=1),
        lax.sort((k, x), num_keys=2),
        lax.top_k(x, 3),
        jnp.median(x, axis=1),
        jnp.percentile(x, 30.0),
        jnp.quantile(x, jnp.array([0.1, 0.9]), axis=0),
        jnp.partition(x, 3),
        jnp.lexsort((k[0], k[1])),
    )


@program(real(3, 40))
def approximate_top_k(x):
    return (
        lax.approx_max_k(x, 5),
        lax.approx_min_k(x, 4),
        lax.approx_max_k(x, 3, reduction_dimension=0),
    )


@program(jnp.array([3.0, jnp.nan, -0.0, 0.0, -jnp.inf, jnp.inf, -jnp.nan], "f4"))
def sort_odd(x):
    return (
        jnp.sort(x),
        jnp.argsort(x),
        jnp.max(x),
        jnp.nanmax(x),
        jnp.argmax(x),
        jnp.nanmin(x),
        lax.top_k(x, 3)[1],
        jnp.nan_to_num(x),
    )


@program(both(8))
def sort_complex(x):
    return jnp.sort(x), jnp.argsort(x)


# ---- windows, convolutions ----------------------------------------------------------------------


@program(real(2, 3, 8, 8), real(4, 3, 3, 3, seed=1))
def conv_2d(x, k):
    conv = lax.conv_general_dilated
    return (
        conv(x, k, (1, 1), "SAME"),
        conv(x, k, (2, 1), [(1, 2), (0, 1)], lhs_dilation=(1, 2), rhs_dilation=(2, 1)),
        jax.grad(lambda k: (conv(x, k, (2, 2), "VALID") ** 2).sum())(k),
        jax.grad(lambda x: (conv(x, k, (1, 1), "SAME") ** 2).sum())(x),
    )


@program(real(2, 9, 4), real(3, 1, 8, seed=1))
def conv_depthwise(x, k):
    return lax.conv_general_dilated(
        x, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=4
    )


@program(real(1, 5, 5, 3), real(3, 3, 3, 2, seed=1))
def conv_transpose(x, k):
    return (
        lax.conv_transpose(x, k, (2, 2), "SAME"),
        jnp.convolve(x[0, 0, :, 0], k[0, :, 0, 0]),
        jax.scipy.signal.convolve2d(x[0, :, :, 0], k[:, :, 0, 0]),
    )


@program(real(1, 4, 4, 4, 2), real(2, 2, 2, 2, 3, seed=1))
def conv_3d(x, k):
    return lax.conv_general_dilated(
        x, k, (1, 2, 1), "VALID", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")
    )


@program(real(4, 6, 6))
def pools(x):
    w = lambda f, init: lax.reduce_window(x, init, f, (1, 3, 2), (1, 2, 1), "SAME")
    return (
        w(lax.max, -jnp.inf),
        w(lax.add, 0.0),
        w(lax.min, jnp.inf),
        jax.grad(
            lambda v: (
                lax.reduce_window(v, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID") ** 2
            ).sum()
        )(x),
    )


@program(real(5, 7))
def cumulative(x):
    return (
        jnp.cumsum(x, 1),
        jnp.cumprod(x, 0),
        lax.cummax(x, 1, reverse=True),
        lax.cumlogsumexp(x, 0),
        lax.cummin(x, 0),
        jnp.diff(x, axis=1),
        jnp.gradient(x[0]),
        jnp.cumsum(x.astype("i4"), 1, dtype="i8"),
    )


@program(real(1, 6, 6, 3))
def image_resize(x):
    return (
        jax.image.resize(x, (1, 9, 4, 3), "bilinear"),
        jax.image.resize(x, (1, 3, 3, 3), "cubic"),
        jax.image.resize(x, (1, 12, 5, 3), "nearest"),
        jax.scipy.ndimage.map_coordinates(
            x[0, :, :, 0], [jnp.array([0.5, 2.2]), jnp.array([1.1, 4.9])], order=1
        ),
    )


@program(real(2, 8, 8, 3))
def patches(x):
    return lax.conv_general_dilated_patches(
        x, (3, 3), (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


# ---- element by element -------------------------------------------------------------------------


@program(real(40) * 3, real(40, seed=1, positive=True))
def special_functions(x, p):
    s = jax.scipy.special
    return (
        s.gammaln(p),
        s.digamma(p),
        s.erf(x),
        s.erfc(x),
        s.erfinv(jnp.tanh(x) / 2),
        s.i0e(x),
        s.i1e(x),
        s.i0(x),
        s.expit(x),
        s.logit(jax.nn.sigmoid(x)),
        s.xlogy(p, p),
        s.entr(p),
        s.ndtr(x),
        s.log_ndtr(x),
        s.ndtri(jax.nn.sigmoid(x)),
        s.betaln(p, p + 1),
        s.gammainc(p, p),
        s.gammaincc(p, p + 1),
        s.betainc(p, p + 1, jax.nn.sigmoid(x)),
        s.zeta(p + 1.5, p),
        s.polygamma(2, p),
        s.multigammaln(p + 2, 2),
        s.expn(2, p),
        s.logsumexp(x),
        jnp.sinc(x),
    )


@program(real(30, dtype="f8") * 2)
def elementwise_double(x):
    return (
        jnp.sinh(x),
        jnp.arctan(x),
        jnp.arcsinh(x),
        jnp.exp2(x),
        jnp.expm1(x),
        jnp.log1p(jnp.abs(x)),
        jnp.cbrt(x),
        jnp.rint(x),
        jnp.trunc(x),
        jnp.floor(x),
        jnp.fmod(x, 0.7),
        jnp.remainder(x, 0.7),
        jnp.hypot(x, 1.0),
        jnp.arctan2(x, x[::-1]),
        jnp.copysign(x, -1.0),
        jnp.ldexp(x, 3),
        jnp.frexp(x),
        jnp.modf(x),
        jnp.nextafter(x, 0.0),
        jnp.heaviside(x, 0.5),
        jnp.sign(x),
        jnp.spacing(x),
        jnp.logaddexp(x, 0.1),
        jnp.signbit(x),
        jnp.float_power(jnp.abs(x), 1.7),
        x**5,
        jnp.arccosh(1 + jnp.abs(x)),
    )


@program(both(20, dtype="c16"))
def elementwise_complex(z):
    return (
        jnp.exp(z),
        jnp.log(z),
        jnp.sqrt(z),
        jnp.sin(z),
        jnp.cos(z),
        jnp.tan(z),
        jnp.tanh(z),
        jnp.arcsin(z),
        jnp.arccos(z),
        jnp.arctan(z),
        jnp.sinh(z),
        jnp.arcsinh(z),
        jnp.abs(z),
        jnp.angle(z),
        z**2.5,
        z * z[::-1] / (z + 1),
        jnp.conj(z),
        jnp.log1p(z),
        jnp.expm1(z),
        jnp.sign(z),
        jnp.isfinite(z),
        jnp.square(z),
        jnp.reciprocal(z),
        z.sum(),
        z.prod(),
        jnp.arctanh(z),
        jnp.arccosh(z),
        jnp.cosh(z),
    )


@program(whole(16, low=-100, high=100, dtype="i4"), whole(16, low=1, high=9, seed=1, dtype="i4"))
def integers(a, b):
    return (
        a // b,
        a % b,
        lax.div(a, b),
        lax.rem(a, b),
        a << b,
        a >> b,
        lax.shift_right_logical(a, b),
        a ^ b,
        ~a,
        lax.population_count(a),
        lax.clz(a),
        jnp.gcd(a, b),
        jnp.lcm(a, b),
        a**3,
        jnp.bitwise_count(a),
        a.astype("i1"),
        a.astype("u1"),
        jnp.packbits((a > 0).astype("u1")),
        jnp.left_shift(a, 33),
        jnp.abs(a.astype("i1")),
        divmod(a, -b),
        jnp.float32(a) ** b,
    )


@program(real(12) * 50)
def casts(x):
    return (
        x.astype("i1"),
        x.astype("u2"),
        x.astype(jnp.bfloat16),
        x.astype("f2"),
        x.astype(jnp.float8_e4m3fn).astype("f4"),
        x.astype(jnp.float8_e5m2).astype("f4"),
        lax.bitcast_convert_type(x, "i4"),
        lax.bitcast_convert_type(x, "u1"),
        x.astype(bool),
        lax.reduce_precision(x, 5, 4),
        x.astype("c8"),
        (x > 0).astype("f8"),
        x.astype(jnp.int4).astype("i4"),
        lax.bitcast_convert_type(x.astype("f2").reshape(6, 2), "f4"),
    )


@program(real(6, 10).astype(jnp.bfloat16), real(10, 4, seed=1).astype(jnp.bfloat16))
def bfloat16_ops(x, w):
    return (
        x @ w,
        jax.nn.gelu(x),
        x.sum(0),
        jax.nn.softmax(x),
        jnp.einsum("ij,jk->k", x, w, preferred_element_type="f4"),
        x.mean(),
        jnp.exp(x),
    )


@program(real(8, 16, dtype="f2"))
def half_ops(x):
    return jax.nn.softmax(x, 0), x @ x.T, jnp.var(x, 1), jax.nn.silu(x), x.max(1), jnp.cumsum(x, 0)


@program(
    whole(8, 16, low=-100, high=100, dtype="i1"),
    whole(16, 4, low=-100, high=100, seed=1, dtype="i1"),
)
def int8_products(a, b):
    return (
        lax.dot(a, b, preferred_element_type="i4"),
        a @ b,
        jnp.einsum("ij,ij->i", a, a, preferred_element_type="i4"),
    )


@program(real(5, 8))
def activations(x):
    n = jax.nn
    return (
        n.relu(x),
        n.gelu(x),
        n.gelu(x, approximate=False),
        n.silu(x),
        n.elu(x),
        n.selu(x),
        n.celu(x),
        n.softplus(x),
        n.log_sigmoid(x),
        n.glu(x),
        n.hard_tanh(x),
        n.hard_swish(x),
        n.leaky_relu(x),
        n.log_softmax(x),
        n.logsumexp(x, 1),
        n.standardize(x),
        n.one_hot(jnp.array([1, 3, 9]), 5),
        n.mish(x),
        n.squareplus(x),
        n.sparse_plus(x),
        n.relu6(x),
    )


# ---- shapes, reductions -------------------------------------------------------------------------


@program(real(2, 3, 4))
def shapes(x):
    return (
        x.transpose(2, 0, 1).reshape(4, 6),
        jnp.roll(x, (1, -2), (0, 2)),
        jnp.flip(x, 1),
        jnp.rot90(x[0]),
        jnp.tile(x, (1, 2, 1)),
        jnp.repeat(x, 2, axis=1),
        jnp.pad(x, ((1, 0), (0, 2), (1, 1)), mode="reflect"),
        jnp.pad(x, 1, mode="wrap"),
        jnp.pad(x, 1, mode="edge"),
        jnp.pad(x, 2, mode="linear_ramp"),
        jnp.stack([x, x], 1),
        jnp.split(x, 2, 2),
        jnp.tril(x),
        jnp.triu(x, 1),
        jnp.diag(x[0, :, 0]),
        jnp.trace(x),
        jnp.squeeze(x[:1]),
        jnp.moveaxis(x, 0, -1),
        jnp.repeat(x[0, 0], jnp.array([1, 0, 2, 1]), total_repeat_length=4),
        jnp.block([[x[0], x[1]], [x[1], x[0]]]),
        jnp.meshgrid(x[0, 0], x[1, 1, :2]),
        lax.broadcasted_iota("i4", (2, 3), 1),
        jnp.vander(x[0, 0]),
        jnp.tri(3),
        jnp.indices((2, 2)),
    )


@program(real(4, 5, 6))
def reductions(x):
    return (
        x.prod((0, 2)),
        x.var(1, ddof=1),
        x.std(),
        jnp.any(x > 2, 1),
        jnp.all(x < 2),
        x.argmax(2),
        x.argmin(0),
        jnp.linalg.norm(x, axis=-1),
        jnp.ptp(x, 0),
        jnp.nansum(x),
        jnp.average(x, 0, weights=jnp.arange(4.0)),
        jnp.count_nonzero(x > 0, 0),
        x.min(),
        lax.reduce((x > 0), False, lax.bitwise_or, (0, 1)),
        jnp.corrcoef(x[0]),
        jnp.cov(x[0]),
        lax.reduce_xor((x * 100).astype("i4"), (0,)),
    )


@program(real(3, 4, 5), real(5, 4, 6, seed=1))
def einsums(a, b):
    return (
        jnp.einsum("ijk,kjl->il", a, b),
        jnp.einsum("ijk,kjl->ijl", a, b),
        jnp.einsum("iij->j", a[:, :3]),
        jnp.tensordot(a, b, ((2, 1), (0, 1))),
        jnp.inner(a, a),
        jnp.outer(a[0, 0], b[0, 0]),
        jnp.vdot(a, a),
        jnp.matmul(a, b[:3].transpose(0, 2, 1)[:, :5, :]),
        jnp.einsum("bij,bkj->bik", a, a, precision="highest"),
    )


@program(real(0, 3), real(3, 0))
def empties(a, b):
    return (
        a.sum(0),
        b @ a,
        a @ jnp.ones((3, 2), "f4"),
        jnp.sort(a, 0),
        jnp.concatenate([a, jnp.ones((2, 3), "f4")]),
        a.T,
        jnp.cumsum(a, 0),
        a[:0],
    )


@program(real(8, 3, dtype="f8"))
def ffts(x):
    z = x + 1j * x[::-1]
    f = jnp.fft
    return (
        f.fft(z, axis=0),
        f.ifft(z, axis=0),
        f.rfft(x, axis=0),
        f.irfft(f.rfft(x, axis=0), 8, axis=0),
        f.fft2(z),
        f.rfft2(x),
        f.fftshift(x),
        f.fftfreq(8),
        f.fft(z, 5, axis=0),
        f.hfft(z[:, 0]),
        jax.scipy.fft.dct(x, axis=0),
        f.irfft(z[:4, 0], 7),
        f.fftn(z),
    )


@program(real(3, 6), real(4, 6, seed=1))
def vmaps(a, b):
    pair = jax.vmap(jax.vmap(lambda u, v: jnp.sum((u - v) ** 2), (None, 0)), (0, None))(a, b)
    return (
        pair,
        jax.vmap(jnp.linalg.qr)(jnp.stack([a[:, :3], a[:, 3:]]))[1].shape[0] + pair,
        jax.vmap(jnp.searchsorted)(jnp.sort(a, 1), b[:3]),
        jax.vmap(jnp.roll)(a, jnp.arange(3)),
        jax.vmap(lambda r, i: r.at[i].set(0))(a, jnp.arange(3)),
    )


@program(real(4, 6), real(6, 5, seed=1), real(5, seed=2))
def derivatives(x, w, b):
    def loss(w, b):
        return jnp.log(jnp.cosh(x @ w + b)).mean() + jnp.linalg.norm(w)

    return (
        jax.grad(loss, (0, 1))(w, b),
        jax.jvp(lambda b: loss(w, b), (b,), (b,)),
        jax.hessian(lambda b: loss(w, b))(b),
        jax.jacfwd(lambda b: jnp.outer(b, b))(b),
        jax.checkpoint(lambda w: jax.grad(loss)(w, b))(w),
    )


# ---- networks -----------------------------------------------------------------------------------


@program(real(2, 6, 8), real(2, 6, 8, seed=1), real(2, 6, 8, seed=2))
def attention(q, k, v):
    heads = [t.reshape(2, 6, 2, 4) for t in (q, k, v)]
    return jax.nn.dot_product_attention(*heads, is_causal=True), jax.grad(
        lambda q: jax.nn.dot_product_attention(q, *heads[1:]).sum()
    )(heads[0])


@program(real(12, 4), real(3, 4, 5, seed=1), jnp.array([5, 3, 4], "i4"))
def ragged_products(x, w, sizes):
    return lax.ragged_dot(x, w, sizes), jax.grad(
        lambda w: (lax.ragged_dot(x, w, sizes) ** 2).sum()
    )(w)


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

    return (
        norm(x),
        jax.grad(lambda v: (norm(v) ** 3).sum())(x),
        x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6),
    )


@program(real(6, 6), whole(6, high=3))
def ctc_and_graph(x, s):
    adjacency = (x > 0).astype("f4")
    degree = adjacency.sum(1) + 1
    return (
        (adjacency @ x) / degree[:, None],
        jax.ops.segment_sum(x, s, 3) @ x[:, :2],
        jnp.linalg.matrix_power(adjacency, 3),
    )


@program(real(3, 7))
def composites(x):
    f = lax.composite(lambda v: jnp.sin(v) * 2, "my.sin2")
    return f(x), lax.optimization_barrier((x, x + 1)), jax.named_call(jnp.cos, name="c")(x)


@program(whole(20, high=256, dtype="u1"))
def bits(x):
    return (
        jnp.unpackbits(x),
        jnp.packbits(x > 100),
        jnp.flip(jnp.unpackbits(x).reshape(-1, 8), 1),
        lax.bitcast_convert_type(x, "i1"),
        x.astype("u4") * jnp.uint32(2654435761) >> 16,
    )


@program(real(5, 5))
def games(x):
    life = (x > 0).astype("i4")
    total = sum(jnp.roll(life, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - life
    return jnp.where(life == 1, (total == 2) | (total == 3), total == 3)


@program(real(50))
def signal(x):
    s = jax.scipy.signal
    return (
        s.detrend(x),
        s.stft(x, nperseg=16)[2],
        s.welch(x, nperseg=16)[1],
        s.fftconvolve(x, x[:7]),
        jnp.correlate(x, x[:5]),
        jnp.interp(x[:5], jnp.sort(x), jnp.arange(50.0)),
        jnp.polyfit(jnp.arange(50.0), x, 2),
        jnp.polyval(x[:4], x[4:8]),
        jnp.trapezoid(x),
        jnp.roots(x[:4], strip_zeros=False).sum(),
    )


@program(real(4, 3), real(4, seed=1, positive=True))
def statistics(x, p):
    t = jax.scipy.stats
    return (
        t.norm.logpdf(x),
        t.gamma.logpdf(p, 2.0),
        t.beta.logpdf(p / 10, 2.0, 3.0),
        t.poisson.logpmf(jnp.array([1, 2]), 3.0),
        t.t.logpdf(x, 4.0),
        t.multivariate_normal.logpdf(x, jnp.zeros(3), jnp.eye(3)),
        t.norm.cdf(x),
        t.gaussian_kde(p)(p),
        t.rankdata(x[:, 0]),
        t.mode(jnp.round(x)).mode,
    )


@program(whole(5, 5, high=2, dtype="u1"))
def booleans(x):
    b = x.astype(bool)
    return (
        b & b.T,
        b | ~b,
        jnp.logical_xor(b, b.T),
        b.any(0),
        b.all(1),
        b.sum(),
        jnp.where(b, 1, 2),
        b.astype("f4") @ b.astype("f4"),
        jnp.cumsum(b),
        b.argmax(1),
        lax.reduce_and(b, (0,)),
        b @ b,
    )


@program(real(6, 4))
def quantised(x):
    scale = jnp.abs(x).max(0) / 127
    q = jnp.clip(jnp.round(x / scale), -127, 127).astype("i1")
    return (
        q,
        q.astype("f4") * scale,
        lax.dot_general(q, q, (((0,), (0,)), ((), ())), preferred_element_type="i4"),
    )


# ---- algorithms ----------------------------------------------------------------------------


@program(real(12, 12, dtype="f8"))
def jacobi(a):
    a = a + a.T

    def sweep(_, a):
        def rot(i, a):
            j = (i + 1) % 12
            th = 0.5 * jnp.arctan2(2 * a[i, j], a[j, j] - a[i, i])
            g = (
                jnp.eye(12)
                .at[i, i]
                .set(jnp.cos(th))
                .at[j, j]
                .set(jnp.cos(th))
                .at[i, j]
                .set(jnp.sin(th))
                .at[j, i]
                .set(-jnp.sin(th))
            )
            return g.T @ a @ g

        return lax.fori_loop(0, 11, rot, a)

    return lax.fori_loop(0, 3, sweep, a)


@program(real(64))
def bitonic(x):
    n = 64
    k = 2
    while k <= n:
        j = k // 2
        while j >= 1:
            i = jnp.arange(n)
            l = i ^ j
            up = (i & k) == 0
            a = x
            b = x[l]
            keep = jnp.where(
                up,
                jnp.where(i < l, jnp.minimum(a, b), jnp.maximum(a, b)),
                jnp.where(i < l, jnp.maximum(a, b), jnp.minimum(a, b)),
            )
            x = keep
            j //= 2
        k *= 2
    return x


@program(whole(9, 9, high=50))
def floyd(d):
    return lax.fori_loop(0, 9, lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k][None]), d)


@program(whole(20, high=26), whole(15, high=26, seed=3))
def edit_distance(a, b):
    def row(prev, x):
        i, ch = x

        def col(left, y):
            diag, up, c = y
            v = jnp.minimum(jnp.minimum(left + 1, up + 1), diag + (c != ch))
            return v, v

        _, r = lax.scan(col, i + 1, (prev[:-1], prev[1:], b))
        return jnp.concatenate([jnp.array([i + 1]), r]), None

    return lax.scan(row, jnp.arange(16), (jnp.arange(20), a))[0]


@program(real(30, 2))
def kmeans(x):
    c = x[:4]

    def step(c, _):
        d = ((x[:, None] - c[None]) ** 2).sum(-1)
        l = d.argmin(1)
        o = jax.nn.one_hot(l, 4, dtype="f4")
        return (o.T @ x) / jnp.maximum(o.sum(0)[:, None], 1), l

    return lax.scan(step, c, None, length=5)


@program(real(3, 3, dtype="f8"))
def mandelbrot(x):
    c = jnp.linspace(-2, 1, 20)[None] + 1j * jnp.linspace(-1, 1, 15)[:, None]

    def b(i, s):
        z, n = s
        z = jnp.where(jnp.abs(z) < 2, z * z + c, z)
        return z, n + (jnp.abs(z) < 2)

    return lax.fori_loop(0, 30, b, (jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32)))[1]


@program(real(2, 16, 8))
def ssm(x):
    a = jax.nn.sigmoid(x)

    def comb(l, r):
        return l[0] * r[0], r[0] * l[1] + r[1]

    h = lax.associative_scan(comb, (a, x), axis=1)[1]
    return h, jax.grad(
        lambda v: lax.associative_scan(comb, (jax.nn.sigmoid(v), v), axis=1)[1].sum()
    )(x)


@program(real(3, 10, 10, 4))
def batchnorm(x):
    m = x.mean((0, 1, 2))
    v = x.var((0, 1, 2))

    def f(x):
        m = x.mean((0, 1, 2))
        v = x.var((0, 1, 2))
        return (((x - m) / jnp.sqrt(v + 1e-5)) ** 3).sum()

    return (x - m) / jnp.sqrt(v + 1e-5), jax.grad(f)(x)


@program(real(6, 8))
def moe(x):
    w = real(8, 4, seed=5)
    e = real(4, 8, 8, seed=6)
    g, idx = lax.top_k(jax.nn.softmax(x @ w), 2)
    o = jnp.einsum("td,tkdf->tkf", x, e[idx])
    return (o * g[..., None]).sum(1), jnp.bincount(idx.ravel(), length=4)


@program(real(2, 5, 3, 4))
def rope(x):
    t = jnp.arange(5.0)[:, None] * (1 / 10000 ** (jnp.arange(2.0) / 2))[None]
    c, s = jnp.cos(t)[None, :, None], jnp.sin(t)[None, :, None]
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1).astype(jnp.bfloat16).astype("f4")


@program(whole(4, high=9))
def beam(tok):
    e = real(9, 9, seed=4)

    def step(c, _):
        s, seq = c
        lp = jax.nn.log_softmax(e[seq[:, -1]]) + s[:, None]
        v, i = lax.top_k(lp.ravel(), 4)
        return (v, jnp.concatenate([seq[i // 9][:, 1:], (i % 9)[:, None].astype(seq.dtype)], 1)), i

    return lax.scan(step, (jnp.zeros(4), jnp.tile(tok[None], (4, 1))), None, length=4)


@program(whole(3, 5, high=2))
def while_vmap(x):
    def col(n):
        return lax.while_loop(
            lambda c: (c[0] != 1) & (c[1] < 50),
            lambda c: (jnp.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1),
            (n, 0),
        )[1]

    return jax.vmap(jax.vmap(col))(x + jnp.arange(1, 6))


@program(real(5, 5))
def grads_control(x):
    def f(x):
        y = lax.cond(x.sum() > 0, lambda v: jnp.sin(v) @ v, lambda v: jnp.cos(v) * v, x)
        return lax.scan(lambda c, _: (jnp.tanh(c @ y), c.sum()), x, None, length=3)[1].sum()

    return jax.grad(f)(x), jax.jvp(jax.grad(f), (x,), (x,))


@program(real(4, 6))
def custom_derivs(x):
    @jax.custom_vjp
    def f(x):
        return jnp.log1p(jnp.exp(x))

    f.defvjp(lambda x: (f(x), x), lambda x, g: (g * jax.nn.sigmoid(x),))

    @jax.custom_jvp
    def g(x):
        return jnp.sign(x)

    g.defjvp(lambda p, t: (g(p[0]), t[0] * 0.5))
    return jax.grad(lambda x: (f(x) * g(x)).sum())(x)


@program(real(8, 8))
def sparse_bcoo(x):
    from jax.experimental import sparse

    m = sparse.BCOO.fromdense(x * (x > 0.5), nse=30)
    return m @ x, (m.T @ x[:, 0]), m.todense(), m.sum(1).todense()


@program(real(100))
def hist2d(x):
    return (
        jnp.histogram2d(x, x[::-1], bins=5)[0],
        jnp.histogramdd(x[:, None], bins=3)[0],
        jnp.bincount(jnp.abs(x * 3).astype(int), x, length=12),
        jnp.digitize(x, jnp.linspace(-2, 2, 7)),
        jnp.nanpercentile(x, jnp.array([25.0, 75.0])),
        jnp.nanmedian(x),
    )


@program(whole(12, high=1000, dtype="u4"))
def hashes(x):
    h = jnp.uint32(2166136261)

    def step(h, v):
        for s in (0, 8, 16, 24):
            h = (h ^ ((v >> s) & 0xFF)) * jnp.uint32(16777619)
        return h, h

    a = lax.scan(step, h, x)
    y = x
    y ^= y << 13
    y ^= y >> 17
    y ^= y << 5
    return (
        a,
        y,
        lax.rem(y, jnp.uint32(97)),
        (y.astype("u8") * y.astype("u8")) >> 32,
        y.astype("f4"),
        y.astype("i2"),
        jnp.bitwise_not(y),
    )


@program(real(7))
def strings_of_types(x):
    o = []
    for t in (
        "bfloat16",
        "float16",
        "float8_e4m3fn",
        "float8_e5m2",
        "float8_e4m3fnuz",
        "float8_e5m2fnuz",
        "float8_e4m3b11fnuz",
        "float8_e3m4",
        "float8_e4m3",
        "float8_e8m0fnu",
        "float4_e2m1fn",
        "int4",
        "uint4",
        "int2",
        "uint2",
        "int8",
        "uint16",
        "bool",
        "complex64",
    ):
        if hasattr(jnp, t):
            try:
                o.append(
                    (jnp.abs(x) if t.startswith("uint") or "e8m0" in t else x)
                    .astype(getattr(jnp, t))
                    .astype("f4" if t != "complex64" else "c8")
                )
            except Exception:
                pass
    return o


@program(real(4, 4), real(4, 4, seed=2))
def f8_dot(a, b):
    return (
        lax.dot(
            a.astype(jnp.float8_e4m3fn), b.astype(jnp.float8_e4m3fn), preferred_element_type="f4"
        ),
        lax.dot(a.astype(jnp.float8_e5m2), b.astype(jnp.float8_e5m2), preferred_element_type="f4"),
        jnp.einsum("ij,jk", a.astype("f2"), b.astype("f2")),
    )


@program(real(3, 8))
def algorithms(a):
    return lax.dot(a, a.T, precision="highest")


@program(both(5, 5, dtype="c16"))
def complex_linalg(a):
    h = a @ a.conj().T + 5 * jnp.eye(5)
    w, v = jnp.linalg.eigh(h)
    return (
        jnp.linalg.cholesky(h),
        jnp.linalg.solve(a, a[:, :2]),
        jnp.linalg.det(a),
        w,
        (v * w) @ v.conj().T,
        jnp.linalg.inv(h),
        jnp.sort(jnp.abs(jnp.linalg.eigvals(a))),
    )


@program(real(2, 3, 4, 4, dtype="f8"))
def batched_linalg(a):
    s = a @ jnp.swapaxes(a, -1, -2) + 4 * jnp.eye(4)
    return (
        jnp.linalg.cholesky(s),
        jnp.linalg.inv(a),
        jnp.linalg.eigvalsh(s),
        jnp.linalg.svd(a, compute_uv=False),
        jnp.linalg.det(a),
        jax.scipy.linalg.lu(a[0, 0])[2],
        jnp.linalg.qr(a)[1] ** 2,
        jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(s[0, 0]), True), a[0, 0]),
    )


@program(real(4, 4, dtype="f8"))
def linalg_grads(a):
    s = a @ a.T + 4 * jnp.eye(4)
    return [
        jax.grad(lambda m: f(m @ m.T + jnp.eye(4)).sum())(a)
        for f in (
            jnp.linalg.inv,
            jnp.linalg.det,
            lambda m: jnp.linalg.slogdet(m)[1],
            jnp.linalg.eigvalsh,
            lambda m: jnp.linalg.svd(m, compute_uv=False),
            lambda m: jax.scipy.linalg.expm(m / 20),
            lambda m: jnp.linalg.qr(m)[1] ** 2,
        )
    ]


@program(real(5, 4))
def pytrees(x):
    p = {"a": x, "b": [x * 2, (x[0],)]}
    return jax.tree.map(jnp.sin, p)


@program(
    real(
        0,
    )
)
def zero_loop(x):
    return (
        lax.scan(lambda c, v: (c + v, c), 0.0, x),
        lax.fori_loop(5, 2, lambda i, c: c + 1, 0),
        jnp.sum(x),
        jnp.prod(x),
        jnp.sort(x),
        jnp.concatenate([x, x]),
    )


@program(real())
def scalars(x):
    return (
        x + 1,
        jnp.sin(x),
        x.reshape(1, 1),
        jnp.broadcast_to(x, (2, 3)),
        jnp.where(x > 0, x, -x),
        lax.while_loop(lambda v: v < 10, lambda v: v * 2 + 1, x),
        jnp.stack([x, x]),
        x.astype(int),
    )


@program(real(3, 4, 5))
def lax_misc(x):
    return (
        lax.argmax(x, 1, jnp.int32),
        lax.cumprod(x, 2, reverse=True),
        lax.rev(x, (0, 2)),
        lax.squeeze(x[:1], (0,)),
        lax.reduce_and(x > 0, (1,)),
        lax.reduce_max(x, (0, 1)),
        lax.nextafter(x, x + 1),
        lax.integer_pow(x, -3),
        lax.is_finite(1 / x),
        lax.random_gamma_grad(jnp.abs(x) + 1, jnp.abs(x) + 0.5),
        lax.igamma(jnp.abs(x) + 0.1, jnp.abs(x)),
        lax.lgamma(x),
        lax.bessel_i0e(x),
        lax.tan(x),
        lax.betainc(jnp.abs(x) + 0.5, jnp.abs(x) + 1, jax.nn.sigmoid(x)),
        lax.logistic(x),
        lax.round(x * 2.5),
        lax.round(x * 2.5, lax.RoundingMethod.TO_NEAREST_EVEN),
        lax.erf_inv(jnp.tanh(x) / 2),
        lax.polygamma(jnp.ones_like(x), jnp.abs(x) + 0.5),
        lax.zeta(jnp.abs(x) + 1.5, jnp.abs(x) + 0.2),
        lax.split(x, (2, 3), axis=2),
        lax.mul(x, x),
        lax.batch_matmul(x, jnp.swapaxes(x, 1, 2)),
        lax.reduce_window(
            x,
            np.float32(0),
            lax.add,
            (1, 2, 2),
            (1, 1, 1),
            ((0, 0), (1, 0), (0, 1)),
            (1, 2, 1),
            (1, 1, 2),
        ),
        lax.pad(x, jnp.float32(0), ((-1, 0, 0), (0, 1, 1), (2, -1, 0))),
        lax.collapse(x, 0, 2),
        lax.top_k(
            x,
            2,
        ),
        lax.rng_bit_generator(jnp.array([1, 2, 3, 4], jnp.uint32), (3,)),
        lax.exp2(x),
        lax.asinh(x),
        lax.conj(x + 0j),
        lax.square(x),
        lax.rsqrt(jnp.abs(x)),
        x,
    )


@program(real(6, 6, dtype="f8"))
def lax_linalg(a):
    L = lax.linalg
    q, h = lax.linalg.qdwh(a)[:2]
    return (
        jnp.abs(L.cholesky(a @ a.T + jnp.eye(6), symmetrize_input=False)),
        h,
        L.triangular_solve(
            jnp.tril(a) + 5 * jnp.eye(6),
            a,
            left_side=False,
            lower=True,
            transpose_a=True,
            conjugate_a=True,
        ),
        L.symmetric_product(a, a, alpha=2.0, beta=1.0) if hasattr(L, "symmetric_product") else a,
        (
            L.cholesky_update(jnp.linalg.cholesky(a @ a.T + jnp.eye(6)).T, a[0])
            if hasattr(L, "cholesky_update")
            else a
        ),
    )


# ---- several devices -----------------------------------------------------------------------


def mapped(f, ins, outs, m=GRID, **options):
    return jax.shard_map(f, mesh=m, in_specs=ins, out_specs=outs, **options)


@program(real(8, 16), real(16, 8, seed=1), how="run")
def mm_constraint(a, b):
    a = lax.with_sharding_constraint(a, NamedSharding(GRID, P("x", "y")))
    c = a @ b
    return lax.with_sharding_constraint(c, NamedSharding(GRID, P("x", None))).sum(0)


@program(real(8, 16), how="run")
def sm_psum(a):
    return mapped(lambda v: lax.psum(v, "y"), (P("x", "y"),), P("x", None))(a)


@program(real(8, 16), how="run")
def sm_mix(a):
    def f(v):
        i = lax.axis_index("x")
        j = lax.axis_index(("x", "y"))
        g = lax.all_gather(v, "y", axis=1, tiled=True)
        s = lax.psum_scatter(g, "y", scatter_dimension=1, tiled=True)
        p = lax.ppermute(v, "x", [(0, 1), (1, 0)])
        t = lax.all_to_all(v, "y", 0, 1, tiled=True)
        return s + p * i + j, t, lax.pmax(v, "x"), lax.pmin(v, ("x", "y")), lax.pmean(v, "y")

    return mapped(
        f,
        (P("x", "y"),),
        (P("x", "y"), P("x", "y"), P(None, "y"), P(None, None), P("x", None)),
        check_vma=False,
    )(a)


@program(real(8, 8), real(8, 8, seed=2), how="run")
def sm_ring(a, b):
    def f(x, y):
        n = 8

        def body(i, c):
            acc, y = c
            acc = acc + x @ y.T * (i + 1.0)
            return acc, lax.ppermute(y, "d", [(k, (k + 1) % n) for k in range(n)])

        acc = jnp.zeros((1, 1), x.dtype)
        return lax.fori_loop(0, n, body, (acc, y))[0]

    return mapped(f, (P("d"), P("d")), P("d"), m=LINE, check_vma=False)(a, b)


@program(real(8, 16), how="run")
def sm_groups(a):
    f = lambda v: lax.psum(v, "d", axis_index_groups=[[0, 2], [1, 3], [4, 5], [6, 7]])
    return mapped(f, (P("d"),), P("d"), m=LINE, check_vma=False)(a)


@program(real(16, 4), how="run")
def sm_grad(a):
    def loss(a):
        return mapped(lambda v: lax.psum((jnp.sin(v) ** 2).sum(), "d"), (P("d"),), P(), m=LINE)(a)

    return jax.value_and_grad(loss)(a)


@program(real(8, 6), whole(8, high=8), how="run")
def sm_cond(a, k):
    def f(v, k):
        return lax.cond(k[0] > 3, lambda u: u * 2, lambda u: u - 1, v) + lax.axis_index("d")

    return mapped(f, (P("d"), P("d")), P("d"), m=LINE, check_vma=False)(a, k)


@program(real(16, 8), real(8, 32, seed=1), real(32, 4, seed=2), how="run")
def mlp_train(x, w1, w2):
    x = lax.with_sharding_constraint(x, NamedSharding(GRID, P("x", None)))
    w1 = lax.with_sharding_constraint(w1, NamedSharding(GRID, P(None, "y")))
    w2 = lax.with_sharding_constraint(w2, NamedSharding(GRID, P("y", None)))

    def loss(w1, w2):
        return (jax.nn.gelu(x @ w1) @ w2).var()

    return jax.grad(loss, (0, 1))(w1, w2)


@program(real(4, 8, 8, 3), real(3, 3, 3, 8, seed=1), how="run")
def conv_dp(x, k):
    x = lax.with_sharding_constraint(x, NamedSharding(GRID, P("x", "y")))
    return lax.conv_general_dilated(
        x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


@program(real(7, 5), how="run")
def nondiv(a):
    a = lax.with_sharding_constraint(a, NamedSharding(GRID, P("x", "y")))
    return jnp.sort(a, 0), a.sum(1), jnp.cumsum(a, 1), a.T @ a


@program(whole(6, high=20), real(20, 8), how="run")
def embed(i, t):
    t = lax.with_sharding_constraint(t, NamedSharding(GRID, P(("x", "y"), None)))
    return t[i], jax.grad(lambda t: (t[i] ** 2).sum())(t)


@program(real(8, 8), how="run")
def linalg_sharded(a):
    a = lax.with_sharding_constraint(a, NamedSharding(GRID, P("x", "y")))
    return (
        jnp.linalg.cholesky(a @ a.T + 8 * jnp.eye(8, dtype="f4")),
        jnp.fft.fft(a).real,
        lax.top_k(a, 3),
    )


@program(real(3, 4, 6, 8), how="run")
def manual_auto(a):
    f = mapped(lambda v: lax.psum(v, "x") + 1, (P(None, "x"),), P(None, None), axis_names={"x"})
    return f(a).sum(3)


@program(real(5, 3), how="symbolic", dims="b, _")
def poly_mlp(x):
    return (
        jnp.concatenate([x, x * 2], 1).reshape(-1),
        x.mean(0),
        jnp.arange(x.shape[0]),
        x @ x.T,
        jnp.cumsum(x, 0),
        x[::-1][:2],
        jnp.pad(x, ((1, x.shape[0]), (0, 0))),
    )


@program(real(6, 4), how="symbolic", dims="2*b, _")
def poly_pool(x):
    return (
        x.reshape(-1, 2, 4).max(1),
        lax.reduce_window(x, -jnp.inf, lax.max, (2, 1), (2, 1), "VALID"),
        jnp.sort(x, 0),
        jnp.argmax(x, 0),
    )


@program(real(6, 7), how="symbolic", dims="a, b")
def poly_more(x):
    return (
        lax.cumsum(x, 1),
        lax.conv_general_dilated(x[None, None], jnp.ones((1, 1, 2, 2), "f4"), (1, 1), "SAME"),
        jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
        lax.fori_loop(0, x.shape[0], lambda i, v: v + i, x),
        jax.vmap(jnp.sum)(x),
        jnp.linspace(0, 1, 5) * x.shape[1],
        jnp.tile(x, (2, 1)),
        lax.top_k(x, x.shape[1] - 1),
    )


@program(real(4, 5), how="symbolic", dims="a, _")
def poly_rng(x):
    return (
        jax.random.uniform(jax.random.key(0), (x.shape[0], 3)),
        jax.random.normal(jax.random.key(1, impl="rbg"), (x.shape[0], 4)),
        lax.approx_max_k(x, 2),
    )


@program(real(5, 3), how="platforms")
def plat(x):
    return (
        jnp.linalg.qr(x)[1].shape[0] + x,
        jax.random.normal(jax.random.key(0), (3,)),
        lax.platform_dependent(x, cpu=lambda v: v * 2, cuda=lambda v: v * 3, tpu=lambda v: v * 4),
    )


@program(real(5, 3), how="platforms")
def plat2(x):
    return (
        jnp.linalg.cholesky(x.T @ x + jnp.eye(3)),
        jnp.linalg.svd(x, compute_uv=False),
        jnp.linalg.eigh(x.T @ x)[0],
        jnp.linalg.solve(x.T @ x + jnp.eye(3), x.T),
    )
