"""check_report.py TESS FILE...: the figures of a report add up, and are those of its page.

Each FILE is reported as JSON and as a page.  What is alive at the peak must add up to the peak,
operations to the work, collectives to the communication; the page must be well-formed HTML that
names nothing outside of itself, and its data must say the same.
"""

import html.parser
import json
import math
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    """Checks that elements nest; keeps the text of the script and the ids."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.script = [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        for key, value in attrs:
            assert key not in ("src", "href"), (tag, value)
            if key == "id":
                assert value not in self.ids, value
                self.ids.append(value)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.script += data


def close_to(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def check_within(tensors):
    for t in tensors:
        if "within" in t:
            assert t["role"] == "inside"
            assert sum(x["bytes"] for x in t["within"]) == t["bytes"], "within"
            check_within(t["within"])


def held_for(tensors):
    """Bytes by what they are held for; what a region holds instead of the operation that has it."""
    sums = {}
    for t in tensors:
        for key, n in held_for(t["within"]).items() if "within" in t else [(t["for"], t["bytes"])]:
            sums[key] = sums.get(key, 0) + n
    return sums


def check_memory(m):
    if "for" in m:
        assert {key: n for key, n in m["for"].items() if n} == held_for(m["at_peak"]), "for"
    assert sum(t["bytes"] for t in m["at_peak"]) == m["peak"], "at_peak"
    held = m["arguments"] + m["results"] - m["donated"] + m["temporaries"]
    assert m["peak"] == held, "peak"
    assert m["temporaries_lower"] <= m["temporaries"] <= m["temporaries_upper"], "bracket"
    check_within(m["at_peak"])


def check_sums(r):
    m, work, sent = r["memory"], r["work"], r["communication"]
    check_memory(m)
    check_memory(m["host"])
    for key in ("flops", "bytes"):
        assert close_to(sum(o[key] for o in r["operations"]), work[key]), key
    assert sent["collectives"] == len(r["collectives"])
    for rows, count in ((r["collectives"], "times"), (r["traffic"], None)):
        for key in ("wire_bytes", "seconds"):
            total = sum(row[key] * (row[count] if count else 1) for row in rows)
            assert close_to(total, sent[key]), (key, total, sent[key])


def check_step(r):
    step, work, sent = r["step"], r["work"], r["communication"]
    parts = sum(o["seconds"] for o in r["operations"]) + sent["seconds"]
    assert close_to(step["serial_seconds"], parts), "serial"
    assert step["overlapped_seconds"] >= step["exposed_communication_seconds"] >= 0
    least, most = step["range_seconds"]
    assert least <= step["overlapped_seconds"] <= most and step["serial_seconds"] <= most, "range"
    assert close_to(step["mfu"] * step["overlapped_seconds"], work["compute_seconds"]), "mfu"


def check_timeline(p):
    """Times are whole numbers of ticks."""
    last, all = {}, p["step"]["overlapped_seconds"]
    assert all == 0 or p["tick"] <= all * 1.0001e-9, "ticks"
    for stream, begin, end, *_ in p["timeline"]:
        assert 0 <= begin <= end <= 1 + all / (p["tick"] or 1)
        if stream == 0:  # one after the other
            assert begin >= last.get(stream, 0) - 1, "clusters overlap"
        last[stream] = end


def check_waits(p):
    """What everything waits for is the exposed communication."""
    waits = [event[6] * p["tick"] for event in p["timeline"] if event[0]]
    loops = [event[6] * p["tick"] for event in p["timeline"] if not event[0]]
    rounded = p["tick"] * len(p["timeline"])
    assert abs(sum(g["held"] for g in p["groups"]) - sum(waits)) <= rounded, "waits"
    exposed = p["step"]["exposed_communication_seconds"]
    assert abs(sum(waits) + sum(loops) - exposed) <= rounded, "waits"


def check_reasons(p):
    rows = range(-1, len(p["values"]))
    for g in p["groups"]:
        assert g.get("row", -1) in rows and all(i in rows for i in g.get("takes", []) + g.get("gives", []))
        if g.get("row", -1) >= 0:
            assert p["values"][g["row"]][0] == g["moves"]


def check_page(r, text):
    page = Page(text)
    start = page.script.index("const GIVEN = ") + len("const GIVEN = ")
    p, _ = json.JSONDecoder().raw_decode(page.script[start:])
    for key in ("title", "target", "devices", "mesh", "work", "step", "traffic", "communication"):
        assert p[key] == r[key], key
    assert [tuple(a) for a in p["axes"]] == list(r["mesh"].items())
    plain = {**r["memory"], "host": {**r["memory"]["host"]}}
    del plain["at_peak"], plain["host"]["at_peak"]
    assert plain == p["memory"]
    for rows, m in ((p["peak_groups"], r["memory"]), (p["host_groups"], r["memory"]["host"])):
        if len(rows) < 200:
            assert sum(g[0] * g[4] for g in rows if g[7] == 0) == m["peak"]
    assert sum(g["count"] for g in p["groups"]) == p["collective_count"] == len(r["collectives"])
    assert close_to(sum(g["wire"] for g in p["groups"]), r["communication"]["wire_bytes"])
    assert len(p["operations"]) == min(len(r["operations"]), 200)
    for a, b in zip(p["operations"], r["operations"]):
        same = ("operands", "results", "count", "times", "flops", "bytes", "seconds", "bound")
        assert all(a[key] == b[key] for key in same), (a, b)
    check_timeline(p)
    check_waits(p)
    check_reasons(p)
    if p["curve"]:
        assert max(p["curve"]) == r["memory"]["temporaries"] == p["curve"][p["curve_peak"]]
    return p


def main():
    tess, *files = sys.argv[1:]
    for path in files:
        with tempfile.NamedTemporaryFile(suffix=".html") as page:
            command = [tess, "report", path, "--json", "--html", page.name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            text = open(page.name, encoding="utf-8").read()
        report = json.loads(done.stdout)
        lint = subprocess.run([tess, "lint", path, "--json"], capture_output=True, text=True)
        try:
            check_sums(report)
            check_step(report)
            page = check_page(report, text)
            assert page["findings"] == json.loads(lint.stdout)["findings"]
        except AssertionError as e:
            raise AssertionError(path) from e
    print(len(files), "reports add up")


if __name__ == "__main__":
    main()
