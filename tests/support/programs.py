"""programs.py: programs for the scripts here and in tests/bench: which files, and their texts."""

import gzip
import os

ENDS = (".mlir", ".mlir.gz")


def program_files(paths):
    """Files as they are; of folders, every program below them."""
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(
                os.path.join(d, f)
                for d, _, files in os.walk(path)
                for f in files
                if f.endswith(ENDS)
            )
        else:
            yield path


def corpus_files(paths, root):
    """The same; without paths, those of $TESS_CORPUS/lower, or the examples."""
    corpus = os.environ.get("TESS_CORPUS")
    usual = os.path.join(corpus, "lower") if corpus else os.path.join(root, "examples")
    return program_files(paths or [usual])


def program_name(path):
    name = os.path.basename(path)
    return next((name[: -len(end)] for end in ENDS[::-1] if name.endswith(end)), name)


def program_text(path):
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8") as f:
        return f.read()
