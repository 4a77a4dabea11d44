"""agreement.py: decides if two lists of results agree, both as npz files hold them.

Integers and booleans must be equal.  Numbers g and w agree if |g - w| <= t (1 + |w|), where t
depends on the type; any NaN equals any other.  If results do not agree, the program may still leave
them open: `no_more_than` compares the difference with those between XLA's own ways of computing the
program.
"""

import ml_dtypes
import numpy as np

TOLERANCE = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 5e-5,
    "complex64": 5e-5,
    "float16": 5e-3,
    "bfloat16": 3e-2,
}
NARROW = 0.15  # of the floats of 8 bits and fewer, whose neighbours are an eighth apart
RMS, LARGEST = 4, 16  # times the noise that a difference may be: those of `tess verify`


def load(path):
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def typed(array, name):
    """The array in its own type, which npz holds as integers of the same width."""
    kind = np.dtype(getattr(ml_dtypes, name, None) or name)
    return array.view(kind) if array.dtype.itemsize == kind.itemsize else array


def is_exact(name):
    return name == "bool" or "int" in name


def numbers(array, name):
    """The numbers to compare; the halves of complex ones are one dimension more."""
    array = np.atleast_1d(typed(array, name))
    if is_exact(name):
        return array.astype(object) if array.dtype.itemsize == 8 else array.astype(np.int64)
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array.astype(np.complex128))
        return array.view(np.float64).reshape(array.shape + (2,))
    return array.astype(np.float64)


def magnitude(values, name):
    """Of what tolerances are fractions; of a complex number for both of its halves."""
    if not name.startswith("complex"):
        return np.abs(values)
    return np.broadcast_to(np.hypot(values[..., :1], values[..., 1:]), values.shape)


def differing(got, want, name):
    """Where the numbers do not agree."""
    if is_exact(name):
        return got != want
    with np.errstate(all="ignore"):
        size = magnitude(want, name)
        near = np.abs(got - want) <= TOLERANCE.get(name, NARROW) * (1 + size)
        near &= np.isfinite(got) & np.isfinite(want)
    return ~(near | (got == want) | (np.isnan(got) & np.isnan(want)))


def flushed(array, name):
    """The array with 0 in the place of subnormal numbers, as XLA's CPU takes them at times."""
    values = typed(array, name)
    if is_exact(name):
        return array
    if values.dtype.kind == "c":
        halves = np.ravel(values).view(values.real.dtype)
        tiny = np.finfo(halves.dtype).tiny
        whole = np.where(np.abs(halves) < tiny, 0, halves).astype(halves.dtype)
        return whole.view(values.dtype).reshape(values.shape)
    tiny = ml_dtypes.finfo(values.dtype).smallest_normal
    return np.where(np.abs(values) < tiny, values.dtype.type(0), values).view(array.dtype)


def difference(got, want, name):
    """None, or a sentence."""
    if got.shape != want.shape:
        return f"shape {list(got.shape)}, JAX has {list(want.shape)}"
    if typed(got, name).dtype != typed(want, name).dtype:
        return f"type {got.dtype}, JAX has {name}"
    a, b = numbers(got, name), numbers(want, name)
    bad = differing(a, b, name)
    if not bad.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(bad))
    return (
        f"{name} element {list(at)} is {a[at]}, JAX has {b[at]}; {bad.sum()} of {bad.size} differ"
    )


def reordered(got, want, name):
    """True if both have the same numbers, in another order."""
    got, want = typed(got, name).ravel(), typed(want, name).ravel()
    if got.size != want.size or got.size > 10000:
        return False
    left = list(range(got.size))
    for i in range(want.size):
        k = next((k for k in left if not difference(got[k : k + 1], want[i : i + 1], name)), None)
        if k is None:
            return False
        left.remove(k)
    return True


def up_to_phases(got, want, name):
    """True if the rows, or the columns, differ by factors of magnitude 1 only."""
    a, b = (typed(x, name) for x in (got, want))
    if a.shape != b.shape or a.ndim < 2 or is_exact(name):
        return False
    for along in (-1, -2):
        inner = (np.conj(a) * b).sum(along, keepdims=True)
        size = np.abs(inner)
        phase = np.where(size > 0, inner / np.where(size > 0, size, 1), 1)
        if not difference((a * phase).astype(a.dtype), b, name):
            return True
    return False


def spread(got, want, name):
    """(root mean square, largest) of the differences; infinite where one has no finite number."""
    with np.errstate(all="ignore"):
        error = np.abs(np.asarray(got - want, float))
    error = np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0, error)
    error = np.where(np.isfinite(error), error, np.inf)
    return (np.sqrt((error**2).mean()), error.max()) if error.size else (0.0, 0.0)


def no_more_than(got, want, others, name):
    """True if `got` differs from `want` no more than others do, by the rule of `tess verify`."""
    if is_exact(name) or got.shape != want.shape:
        return any(
            o.shape == got.shape and not difference(got, o, name) for o in others
        )  # exactly one of those
    a, b = numbers(got, name), numbers(want, name)
    noise = [spread(numbers(o, name), b, name) for o in others if o.shape == want.shape]
    if not noise:
        return False
    rms, largest = spread(a, b, name)
    allowed = RMS + 12 / max(a.size, 1) ** 0.5
    return rms <= allowed * max(n[0] for n in noise) and largest <= LARGEST * max(
        n[1] for n in noise
    )
