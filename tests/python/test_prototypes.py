"""tools/prototypes: what the headers say, as ctypes has it.  That structs lie in memory as in C is
checked by the compiler: see `layouts` in tests/CMakeLists.txt."""

import os
import re
import subprocess
import sys

import pytest
from tessera import _library

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = os.path.join(ROOT, "include/tessera")


def functions_of_the_headers():
    names = set()
    for header in os.listdir(HEADERS):
        with open(os.path.join(HEADERS, header), encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
        names |= set(re.findall(r"\bTESS_API [^;(]*?(tess_\w+)\(", text))
    return names


def test_every_function_has_a_prototype():
    missing = functions_of_the_headers() - set(_library._c.PROTOTYPES)
    assert missing <= {"tess_apply1"}  # which takes any number of arguments


def test_texts_are_released_and_borrowed_ones_are_not():
    table = _library._c.PROTOTYPES
    assert table["tess_module_print"][0] == _library._c.TEXT
    assert table["tess_op_name"][0] is _library.Str


def test_options_start_as_their_initialisers_say():
    o = _library.opts(_library.PrintOpts, generic=True)
    assert (o.elide_larger, o.generic, o.locations) == (-1, True, False)


def run_on(tmp_path, text):
    (tmp_path / "one.h").write_text(text)
    tool = os.path.join(ROOT, "tools/prototypes")
    return subprocess.run(
        [sys.executable, tool, str(tmp_path)], capture_output=True, text=True, check=False
    )


ONE_OF_ITS_OWN = """
typedef enum tess_way { TESS_WAY_UP = 3, TESS_WAY_DOWN, } tess_way;
typedef struct tess_step {
	tess_way way, ways[2];
	const char *name, *const *names;
	bool (*seen)(void *user, int n);
} tess_step;
TESS_API TESS_GIVE char *tess_step_print(const tess_step *s, const int64_t *v, size_t n);
TESS_API void tess_step_free(TESS_TAKE tess_step *s);
"""


def test_a_header_of_ones_own(tmp_path):
    made = run_on(tmp_path, ONE_OF_ITS_OWN)
    scope = {"__name__": "made"}
    exec(made.stdout, scope)
    assert scope["TESS_WAY_DOWN"] == 4
    fields = dict(scope["Step"]._fields_)
    assert fields["ways"]._length_ == 2
    assert (fields["name"], fields["names"], fields["seen"]) == (
        scope["c_char_p"],
        scope["c_void_p"],
        scope["c_void_p"],
    )
    result, arguments = scope["PROTOTYPES"]["tess_step_print"]
    assert result == scope["TEXT"]
    assert arguments == [
        scope["POINTER"](scope["Step"]),
        scope["POINTER"](scope["c_int64"]),
        scope["c_size_t"],
    ]


@pytest.mark.parametrize("wrong", ["TESS_API unknown_t tess_f(int a);", "TESS_API int tess_f(;"])
def test_what_is_not_understood_is_an_error(tmp_path, wrong):
    made = run_on(tmp_path, wrong)
    assert made.returncode != 0
    assert "one.h: not understood" in made.stderr
