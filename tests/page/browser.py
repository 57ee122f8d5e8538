# SPDX-License-Identifier: MIT
"""Headless Chromium, controlled through the DevTools protocol over a pipe, without further dependencies."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
KEYS = {"Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}


def find():
    """The browser's path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page in one browser. What it says on its console, and what it asks of any network, is kept."""

    def __init__(self, width=1280, height=900):
        self.folder = tempfile.TemporaryDirectory()
        to_browser, self.write_fd = os.pipe()
        self.read_fd, from_browser = os.pipe()

        def hand_over():
            # The browser reads from 3 and writes to 4.
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        command = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage",
                   "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=hand_over, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events, self.session, self.scripted = b"", 0, [], None, True
        target = next(t for t in self.wait_for(lambda: self.send("Target.getTargets")["targetInfos"]) if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.folder.name, ignore_errors=True)

    def read(self, timeout):
        """The next message, or None when there is none in time."""
        until = time.monotonic() + timeout
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
                return None
            data = os.read(self.read_fd, 1 << 20)
            if not data:
                raise RuntimeError("the browser went away")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        os.write(self.write_fd, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(60)
            if answer is None:
                raise RuntimeError(f"no answer to {method}")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, probe, timeout=20):
        """What probe() returns as soon as that is true."""
        until = time.monotonic() + timeout
        while True:
            value = probe()
            if value:
                return value
            if time.monotonic() > until:
                raise RuntimeError("waited in vain")
            time.sleep(0.02)

    def size(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, scheme="light", kind=""):
        self.send("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, allowed):
        self.scripted = allowed
        self.send("Emulation.setScriptExecutionDisabled", value=not allowed)

    def open(self, path, fragment=""):
        """Load a file and wait until it is there. @return milliseconds until its script was ready."""
        self.events = []
        self.send("Page.navigate", url="about:blank")
        self.wait_for(lambda: self.js("location.href == 'about:blank' && document.readyState == 'complete'"))
        self.events = []
        self.send("Page.navigate", url=f"file://{os.path.abspath(path)}{fragment}")
        self.wait_for(lambda: self.js("location.href != 'about:blank' && document.readyState == 'complete'"))
        return self.wait_for(lambda: self.js("performance.getEntriesByName('ready')[0]?.startTime")) if self.scripted else None

    def js(self, expression):
        """The value of an expression in the page."""
        done = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", str(done["exceptionDetails"])))
        return done["result"].get("value")

    def settle(self):
        """Until what was asked for has been drawn."""
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def key(self, key, text=None):
        code = KEYS.get(key, ord(key[0]))
        text = text if text is not None else key if len(key) == 1 else "\r" if key == "Enter" else ""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, text):
        for character in text:
            self.key(character)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def center(self, selector):
        """Where the first element of that kind stands, after it was scrolled into view."""
        return self.js(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
                       "const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2, r.left, r.top, r.width, r.height]; })()")

    def click(self, selector):
        x, y = self.center(selector)[:2]
        self.press(x, y)

    def press(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def drag(self, x, y, to_x, to_y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for i in range(1, 6):
            self.mouse("mouseMoved", x + (to_x - x) * i / 5, y + (to_y - y) * i / 5, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)
        self.settle()

    def drain(self):
        """Take in what the browser has to say."""
        self.send("Runtime.evaluate", expression="0")
        while (event := self.read(0.05)) is not None:
            self.events.append(event)

    def complaints(self):
        """Errors and warnings since the page was opened."""
        self.drain()
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                yield params["exceptionDetails"].get("exception", {}).get("description", "an exception")
            elif method == "Runtime.consoleAPICalled":
                yield f"console.{params['type']}: {[a.get('value') for a in params['args']]}"
            elif method == "Log.entryAdded":
                yield f"{params['entry']['level']}: {params['entry']['text']}"

    def requests(self):
        """Everything that was asked for since the page was opened, but for the page itself."""
        self.drain()
        urls = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [url for url in urls[1:] if not url.startswith("data:")]

    def screenshot(self, path, whole=True):
        if whole:
            height = self.js("document.documentElement.scrollHeight")
            width = self.js("innerWidth")
            clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12000), "scale": 1}
            data = self.send("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        else:
            data = self.send("Page.captureScreenshot")["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.send("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"]))
