"""numpy_types.py: the element types that NumPy itself has, by their names in MLIR."""

NUMPY = {
    "i1": "?",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "ui8": "u1",
    "ui16": "u2",
    "ui32": "u4",
    "ui64": "u8",
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
}
