#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS: the page of tcpwhy report in headless Chromium sorts, filters, selects and zooms, by mouse and
keyboard, light, dark, printed and without JavaScript, and makes no network requests. PAGE_SHOTS names a folder for
screenshots."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import captures  # noqa: E402
from browser import Browser, find  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

BUDGET_MS = 2000
LOADS = 3

ROWS = "[...document.querySelectorAll('.streams tbody tr')].filter((row) => !row.hidden)"
NUMBERS = f"{ROWS}.map((row) => Number(row.dataset.stream))"
CHOSEN = "document.querySelector('tr[aria-current]').dataset.stream"
RANGE = "chapters[0].detail.range"
FLOW = "[...document.querySelectorAll('.ladder li.frame .no, .ladder li.run .no')].map((e) => parseInt(e.textContent))"


def write(tool, path, *names):
    subprocess.run([tool, "report", *map(str, names), "-o", path], check=True, timeout=120)
    return path


def quiet(browser):
    """What should not be: complaints of the browser, requests."""
    return [*browser.complaints(), *(f"asked for {url}" for url in browser.requests())]


def expect(found, wanted):
    return [] if found == wanted else [f"{found!r}, not {wanted!r}"]


def labels(b):
    """What the axes of the smallest ranges say."""
    yield from expect(b.js("Graph.prototype.timeLabels([-2e-7, -1e-22, 2e-7], 2e-7)"), ["-0.0000002", "0.0000000", "0.0000002"])
    yield from expect(b.js("Graph.prototype.timeLabels([0, 2.5, 5], 2.5)"), ["0.0", "2.5", "5.0"])
    yield from expect(b.js("Graph.prototype.valueLabels.call({ format: formats.bytes }, [0, 0.4, 0.8, 1])"), ["0 B", "", "", "1 B"])


def sorts(b):
    def head(n):
        b.click(f".streams thead th:nth-child({n}) button")
        return b.js(NUMBERS)

    numbers = b.js(NUMBERS)
    yield from expect(head(1), sorted(numbers, reverse=True))
    yield from expect(head(1), sorted(numbers))
    yield from expect(b.js("document.querySelector('.streams thead th').getAttribute('aria-sort')"), "ascending")
    head(6)
    lost = b.js(f"{ROWS}.map((row) => Number(row.cells[5].dataset.v))")
    yield from expect(lost, sorted(lost, reverse=True))
    clients = head(2) and b.js(f"{ROWS}.map((row) => row.cells[1].textContent)")
    yield from expect(clients, sorted(clients))
    b.js("document.querySelectorAll('.streams thead button')[0].focus()")
    b.key("Enter")
    yield from expect(b.js(NUMBERS), sorted(numbers, reverse=True))


def filters(b):
    everything = b.js(NUMBERS)
    b.js("document.querySelector('.controls input').focus()")
    b.type("6042")
    yield from expect(sorted(b.js(f"{ROWS}.map((row) => row.cells[1].textContent)")), ["10.9.0.1:60420"])
    yield from expect(b.js("document.querySelector('.controls output').textContent"), "1 of 21")
    b.js("const box = document.querySelector('.controls input'); box.value = ''; box.dispatchEvent(new Event('input'))")
    yield from expect(b.js(NUMBERS), everything)
    b.js("const s = document.querySelector('.controls select'); s.value = 'none'; s.dispatchEvent(new Event('change'))")
    yield from expect(b.js(NUMBERS), [0])
    b.js("s.value = ''; s.dispatchEvent(new Event('change'))")
    yield from expect(b.js(NUMBERS), everything)


def selects(b):
    b.click(".streams tr[data-stream='7'] td")
    yield from expect(b.js(CHOSEN), "7")
    yield from expect(b.js("document.querySelector('.stream h2').textContent.slice(0, 9)"), "Stream 7:")
    yield from expect(b.js("location.hash"), "#c0-s7")
    texts = b.js("document.querySelector('.stream').textContent")
    yield from (f"{part!r} is not told" for part in ("Time by cause", "TCP_NODELAY", "p99", "Longest", "GET /") if part not in texts)
    before = b.js(f"{ROWS}.findIndex((row) => row.dataset.stream === '7')")
    b.js("document.querySelector('tr[aria-current]').focus()")
    b.key("ArrowDown")
    b.key("Enter")
    yield from expect(b.js(f"{ROWS}.findIndex((row) => row.hasAttribute('aria-current'))"), before + 1)
    b.key("End")
    b.key(" ")
    yield from expect(b.js(CHOSEN), str(b.js(NUMBERS)[-1]))


def width(b):
    low, high = b.js(RANGE)
    return high - low


def inside(b):
    """The flow graph shows what the graphs do: rows, and none outside."""
    low, high = b.js(RANGE)
    rows = b.js("[...document.querySelectorAll('.ladder li.frame .at')].map((e) => Number(e.textContent) * 1000)")
    if not rows:
        yield "no row"
    yield from (f"row at {ms} outside {low} to {high}" for ms in rows if not low - 0.1 <= ms <= high + 0.1)


def zooms(b):
    b.click(".streams tr[data-stream='20'] td")
    whole, frames = width(b), len(b.js(FLOW))
    x, y, left, top, w, h = b.center(".graph .u-over")
    b.drag(left + w * 0.4, y, left + w * 0.6, y)
    if not 0.15 < width(b) / whole < 0.25:
        yield f"a fifth was marked, {width(b) / whole} is shown"
    yield from inside(b)
    if not 0 < len(b.js(FLOW)) < frames:
        yield f"{len(b.js(FLOW))} rows of {frames} after zooming"
    b.js("document.querySelector('.graph').focus()")
    zoomed = width(b)
    b.key("+")
    yield from expect(round(width(b) / zoomed, 3), 0.5)
    begin = b.js(RANGE)[0]
    b.key("ArrowRight")
    if not b.js(RANGE)[0] > begin:
        yield "the arrow did not move it"
    yield from inside(b)
    b.key("0")
    yield from expect(round(width(b)), round(whole))
    b.click(".zoom button:last-child")
    if not width(b) < 100:
        yield f"what hurts most is {width(b)} ms long"
    yield from inside(b)
    b.click(".ladder li.gap button")
    if not width(b) < 70:
        yield f"the longest gap was clicked, and {width(b)} ms are shown"


VALUES = "(({ min, max }) => [min, max])(chapters[0].detail.graph.plot.scales.y)"


def boxes(b):
    """A box zooms both axes, a drag up or down the values; All undoes either; the page says so."""
    b.click(".zoom button:nth-child(5)")
    whole, (low, high) = width(b), b.js(VALUES)
    x, y, left, top, w, h = b.center(".graph .u-over")
    b.drag(left + w * 0.4, top + h * 0.3, left + w * 0.6, top + h * 0.7)
    least, most = b.js(VALUES)
    if not (0.15 < width(b) / whole < 0.25 and 0.35 < (most - least) / (high - low) < 0.45 and low < least < most < high):
        yield f"a box shows {width(b)} of {whole} ms and {least} to {most} of {low} to {high}"
    b.click(".zoom button:nth-child(5)")
    yield from expect([round(width(b)), *b.js(VALUES)], [round(whole), low, high])
    x, y, left, top, w, h = b.center(".graph .u-over")
    b.drag(x, top + h * 0.25, x, top + h * 0.75)
    least, most = b.js(VALUES)
    if not (round(width(b)) == round(whole) and 0.45 < (most - least) / (high - low) < 0.55):
        yield f"half of the height shows {least} to {most} of {low} to {high}, {width(b)} of {whole} ms"
    b.click(".zoom button:nth-child(5)")
    if "a box for both" not in b.js("document.querySelector('.hint').textContent"):
        yield "the page does not say how to zoom"
    b.click(".tabs [data-graph=inflight]")
    if "Above the top of the axis: " not in b.js("document.querySelector('.hint').textContent"):
        yield f"the page does not say what is cut off: {b.js('document.querySelector(`.hint`).textContent')}"
    b.click(".tabs [data-graph=sequence]")


def leads(b):
    """Hovering names the frame, and a click marks its row in the flow graph."""
    for row in b.js("chapters[0].detail.flow.shown.filter((r) => r.kind === 'frame').map((r) => [r.frame, r.at]).filter((r, i) => i % 7 === 3)")[:3]:
        frame, ms = row
        b.js(f"chapters[0].detail.graph.zoom({ms} - 5, {ms} + 5)")
        b.settle()
        x, y, left, top, w, h = b.center(".graph .u-over")
        at = left + b.js(f"chapters[0].detail.graph.plot.valToPos({ms} / 1e3, 'x')")
        b.mouse("mouseMoved", at, y)
        b.settle()
        near = b.js(f"chapters[0].detail.flow.framesAt({ms})")
        told = b.js("document.querySelector('.readout').textContent")
        if "frame" not in told:
            yield f"hovering at frame {frame} says {told!r}"
        b.press(at, y)
        marked = b.js("[...document.querySelectorAll('.ladder li[aria-current] .no')].map((e) => e.textContent)")
        yield from expect([f"frame{'s' if '–' in m else ''} {m}" for m in marked], [near])
        b.click(".zoom button:nth-child(5)")
    b.js("chapters[0].detail.why.hide()")


WEIGHED = """[document.querySelector('.why').hidden, document.querySelector('.why p')?.textContent,
    [...document.querySelectorAll('.why tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))]"""


def weighs(b, tool, capture):
    """A click on a gap shows what explain --why says of it; one on a span, too; dragging shows nothing."""
    done = subprocess.run([tool, "explain", "-s", "20", "--why", "--json", capture], capture_output=True, check=True, timeout=60)
    kept = json.loads(done.stdout)["streams"][0]["why"][:3]
    b.click(".streams tr[data-stream='7'] td")
    b.click(".streams tr[data-stream='20'] td")
    yield from expect(b.js(WEIGHED)[0], True)
    for gap in kept:
        b.js(f"chapters[0].detail.flow.onpick({gap['from_ms']}, {gap['to_ms']})")
        hidden, head, rows = b.js(WEIGHED)
        yield from expect(hidden, False)
        if f"between frames {gap['first_frame']} and {gap['last_frame']}," not in head:
            yield head
        yield from expect([row[0] for row in rows], [h["cause"] for h in gap["hypotheses"]])
        yield from expect([row[1].removeprefix("refuted: ") if len(row) == 2 else row[5] for row in rows],
                          [h["reason"] if h["fit"] == "refuted" else h["fit"] for h in gap["hypotheses"]])
    # The third gap fills the graph, and is all that the flow graph shows.
    b.js(f"chapters[0].detail.graph.zoom({kept[-1]['from_ms'] + 1}, {kept[-1]['to_ms'] - 1})")
    b.settle()
    x, y, left, top, w, h = b.center(".graph .u-over")
    b.js("chapters[0].detail.why.hide()")
    b.press(x, y)
    yield from expect(b.js(WEIGHED)[:2], [False, head])
    b.js("chapters[0].detail.why.hide()")
    b.click(".ladder li.gap button")
    yield from expect(b.js(WEIGHED)[:2], [False, head])
    # Another gap, which the page does not hold.
    b.click(".zoom button:nth-child(5)")
    b.js("chapters[0].detail.why.hide()")
    b.drag(left + w * 0.4, y, left + w * 0.6, y)
    yield from expect(b.js(WEIGHED)[0], True)
    b.click(".zoom button:last-child")
    b.click(".ladder li.gap button")
    head = b.js(WEIGHED)[1]
    if not head.startswith("Not in this page: tcpwhy explain -s 20 --why="):
        yield head


def graphs(b):
    b.click(".zoom button:nth-child(5)")
    kinds = b.js("[...document.querySelectorAll('.tabs button')].map((tab) => tab.dataset.graph)")
    yield from expect(kinds, ["sequence", "inflight", "window", "throughput", "rtt", "cwnd"])
    pictures = set()
    for kind in kinds:
        b.click(f".tabs [data-graph={kind}]")
        pictures.add(b.js("document.querySelector('.graph canvas').toDataURL()"))
        labels = b.js("document.querySelectorAll('.u-legend .u-series').length")
        if labels < 2:
            yield f"{kind} has no curve"
    yield from expect(len(pictures), len(kinds))
    x, y, *_ = b.center(".graph .u-over")
    b.mouse("mouseMoved", x, y)
    b.settle()
    if "Nagle + delayed ACK" not in b.js("document.querySelector('.readout').textContent"):
        yield f"under the cursor: {b.js('document.querySelector(`.readout`).textContent')}"


def evidence(b):
    b.click(".streams tr[data-stream='3'] td")
    b.click(".finding .frames a")
    b.settle()
    yield from expect(b.js(CHOSEN), "20")
    yield from (f"frame {n} is not shown" for n in (3110, 3149, 3169) if n not in b.js(FLOW))


def reached(b):
    """What the Tab key comes to, and whether a reader sees where he is."""
    kinds = set()
    b.js("document.querySelector('.frames a').focus()")
    for _ in range(60):
        b.key("Tab")
        kinds.add(b.js("document.activeElement.closest('summary, .frames, .controls input, .controls select, thead, tbody tr, .tabs, .zoom, .graph, .ladder, .exchanges')"
                       "?.className || document.activeElement.tagName"))
    for part in ("tabs", "zoom", "graph", "INPUT", "SELECT", "ladder"):
        if part not in kinds:
            yield f"{part} is not reached by Tab: {sorted(kinds)}"


def colours(b, path):
    grounds = []
    for scheme in ("light", "dark"):
        b.media(scheme)
        b.open(path)
        grounds.append(b.js("[getComputedStyle(document.body).backgroundColor, css('--c', document.querySelector('.bar i')), document.querySelector('.graph canvas').toDataURL()]"))
    yield from expect(grounds[0][0], "rgb(255, 255, 255)")
    yield from expect(grounds[1][0], "rgb(21, 24, 28)")
    yield from expect([g[1] for g in grounds], ["#d55e00", "#e57f33"])
    b.media("light")
    b.settle()
    if b.js("document.querySelector('.graph canvas').toDataURL()") != grounds[0][2]:
        yield "the graph is not drawn anew when the scheme changes"
    yield from quiet(b)


def fits(b, path):
    """On a telephone nothing but what scrolls by itself is wider than the screen."""
    b.size(390, 844, mobile=True)
    b.open(path)
    yield from expect(b.js("document.documentElement.scrollWidth"), 390)
    b.size(1280, 900)


def unscripted(b, path):
    b.scripts(False)
    b.open(path)
    b.scripts(True)
    shown = b.js("document.body.innerText")
    yield from (f"{part!r} is not shown" for part in ("connections", "Where the time went", "Findings") if part not in shown)
    yield from expect(b.js("[document.querySelectorAll('figure svg').length, document.querySelectorAll('.streams tbody tr').length, document.querySelectorAll('button').length]"), [3, 21, 0])


def aged(b, path):
    """In a browser that cannot unpack the graphs the rest is there, and it says so."""
    script = b.send("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")["identifier"]
    b.open(path)
    b.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    told = b.js("document.querySelector('.capture > .note')?.textContent ?? ''")
    if b.js("document.querySelector('script[data-packed=deflate]') !== null") and "cannot be shown" not in told:
        yield f"it says {told!r}"
    yield from expect(b.js("document.querySelectorAll('.streams tbody tr').length"), 21)


def unharmed(b, path):
    b.open(path)
    yield from quiet(b)
    yield from expect(b.js("typeof hacked + document.querySelectorAll('img, .mono *, .what *, h1 *').length"), "undefined0")
    texts = []
    for row in range(b.js(f"{ROWS}.length")):
        b.js(f"{ROWS}[{row}].cells[0].click()")
        b.settle()
        texts.append(b.js("document.querySelector('.stream').innerText"))
    yield from (f"{part!r} is not shown" for part in ("/</script><b>", "/<!--<script>", "/'\"><i\\\\\"';&=", "\\u2028", "[31m") if part not in "".join(texts))
    yield from quiet(b)


def chapters(b, path):
    b.open(path, "#c1-s2")
    yield from expect(b.js("chapters.length"), 2)
    yield from expect(b.js("chapters.map((c) => c.detail.detail.stream)"), [20, 2])
    yield from quiet(b)


def parted(b, path):
    """Rows of the flow graph in which the frame's number, its time and the first rail touch."""
    b.open(path)
    b.wait_for(lambda: b.js("document.querySelector('.ladder li.frame') !== null"))
    rows = b.js("""[...document.querySelectorAll('.ladder li.frame')].map((row) => {
        const ends = (e) => { const range = document.createRange(); range.selectNodeContents(e); return range.getBoundingClientRect(); };
        const [no, at] = ['.no', '.at'].map((s) => ends(row.querySelector(s)));
        return [row.querySelector('.at').textContent, at.left - no.right, row.querySelector('.lane').getBoundingClientRect().left - at.right];
    })""")
    if not any(len(time) > len("1,000.000000") for time, *_ in rows):
        yield f"no time is long: {rows[:3]}"
    yield from (str(row) for row in rows if min(row[1:]) < 4)


def uncut(b, path):
    """Of a table with the longest name of a cause, what does not show without scrolling on a small screen."""
    b.size(1280, 900)
    b.open(path)
    yield from expect(b.js("document.querySelector('.streams').closest('.boxed').scrollWidth <= document.querySelector('.boxed').clientWidth"), True)


def shots(b, pages, folder):
    """Pictures of the pages for people."""
    for name, path in pages.items():
        for kind, (scheme, w, mobile) in {"light": ("light", 1280, False), "dark": ("dark", 1280, False), "phone": ("light", 390, True)}.items():
            b.media(scheme)
            b.size(w, 900, mobile)
            b.open(path)
            b.screenshot(f"{folder}/{name}-{kind}.png")
        b.size(1280, 900)
        b.pdf(f"{folder}/{name}.pdf")
    b.media("light")


def main():
    tool, pcaps = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not find():
        skip_all("no Chromium here")
    with Tap() as tap, tempfile.TemporaryDirectory() as name, Browser() as b:
        folder = pathlib.Path(name)
        sick = pcaps / "nginx_nagle_delack/client.pcap"
        path = write(tool, folder / "sick.html", sick)
        b.media("light")
        b.open(path)
        tap.check("the page loads without a complaint, and asks for nothing", quiet(b))
        for does, check in (("sorts by its heads", sorts), ("filters by text and by cause", filters), ("shows the stream that is chosen", selects),
                            ("zooms, and the flow graph with it", zooms), ("zooms both axes by a box, and says how", boxes),
                            ("leads from a segment to its row", leads), ("draws five graphs and tells what is under the cursor", graphs),
                            ("tells the labels of its axes apart", labels),
                            ("goes to the frames of a finding", evidence), ("is reached by the Tab key", reached)):
            tap.check(f"the page {does}", [*check(b), *quiet(b)])
        tap.check("the page shows how the gap was weighed that is clicked on", [*weighs(b, tool, sick), *quiet(b)])
        tap.check("the page is light or dark as its reader prefers", list(colours(b, path)))
        tap.check("the page fits a telephone", list(fits(b, path)))
        tap.check("on a small screen every column of the connections is seen", list(uncut(b, write(tool, folder / "loss.html", pcaps / "random_loss_1pct/client.pcap"))))
        tap.check("without JavaScript verdict, ledger, flow graph and table are shown", list(unscripted(b, path)))
        tap.check("in a browser of long ago, too", list(aged(b, path)))
        tap.check("hostile names are shown and do nothing", list(unharmed(b, write(tool, folder / "hostile.html", captures.hostile(pcaps, folder)))))
        tap.check("in flow graphs of hours times stay apart from numbers of frames", list(parted(b, write(tool, folder / "slow.html", captures.slow(pcaps, folder)))))
        two = write(tool, folder / "two.html", sick, pcaps / "nginx_nodelay/client.pcap")
        tap.check("captures of one page do not disturb each other", list(chapters(b, two)))
        b.open(write(tool, folder / "single.html", captures.single(pcaps, folder)))
        b.click(".zoom button:nth-child(2)")
        tap.check("a stream of one frame has graphs too", [*quiet(b), *expect(b.js(FLOW), [2])])
        capture, frames = captures.large(pcaps, folder)
        large = write(tool, folder / "large.html", capture)
        times = sorted(b.open(large) for _ in range(LOADS))
        tap.check("a page of 100 streams loads without a complaint", quiet(b))
        tap.note(f"the page of {captures.STREAMS} streams and {frames:,} frames is {large.stat().st_size:,} bytes and was ready in {times[0]:.0f} ms (of {LOADS}; budget {BUDGET_MS})")
        if os.environ.get("PAGE_SHOTS"):
            pages = {n: write(tool, folder / f"{n}.html", pcaps / n / "client.pcap") for n in ("random_loss_1pct", "syn_drop_backlog", "healthy_lan", "client_idle_500ms")}
            shots(b, {"sick": path, "large": large, "two": two, **pages}, os.environ["PAGE_SHOTS"])


if __name__ == "__main__":
    main()
