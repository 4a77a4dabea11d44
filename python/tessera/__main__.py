"""`python -m tessera` is `tess`."""

from ._command import main

main()
