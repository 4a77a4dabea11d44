"""check_page.py PLAN.json PAGE REPORT-PAGE: the page of a plan has the plan, and is otherwise the page of the
report of the program that -o writes; its frontier is one."""

import json
import sys


def data_of(path):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    begin = page.index("const GIVEN = ") + len("const GIVEN = ")
    return json.JSONDecoder().raw_decode(page[begin:])[0]


def shardings_of(page):
    return [(page["strings"][v[2]], page["strings"][v[3]], v[4]) for v in page["values"]]


def check_frontier(plan):
    rows = plan["frontier"]
    for faster, smaller in zip(rows, rows[1:]):
        assert faster["step_seconds"] <= smaller["step_seconds"], "order"
        assert faster["peak_bytes"] > smaller["peak_bytes"], "a plan takes more of both"
    for row in rows:
        assert row["fits"] == (row["peak_bytes"] <= plan["limit_bytes"]), row
        same = all(row[key] == plan[key] for key in ("mesh", "step_seconds", "peak_bytes"))
        assert row["chosen"] == same, row
    assert sum(row["chosen"] for row in rows) == 1, "the plan is on the frontier"
    assert any(not row["fits"] for row in rows), "the limit cuts this one"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    page, report = data_of(sys.argv[2]), data_of(sys.argv[3])
    told = page.pop("plan")
    assert told == plan, [key for key in plan if told.get(key) != plan[key]]
    check_frontier(plan)
    assert page["step"]["overlapped_seconds"] == plan["step_seconds"]
    assert page["memory"]["peak"] == plan["peak_bytes"]
    assert "advice" not in page
    for key in ("mesh", "axes", "memory", "work", "step", "traffic", "communication", "curve", "tick"):
        assert page[key] == report[key], key
    assert shardings_of(page) == shardings_of(report)


main()
