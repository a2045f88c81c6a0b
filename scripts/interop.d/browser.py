# SPDX-License-Identifier: Apache-2.0
"""Drives headless Chromium through the pipe of its DevTools protocol."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time

import imagecodecs

from runner import Skip, require
from workspace import fresh

SECONDS = 120
# Codes of keys other than letters.
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "Space": 32, "PageUp": 33, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}


class Page:
    """A page and the messages of its console."""

    def __init__(self, requests, answers):
        self.requests, self.answers = requests, answers
        self.buffer, self.count, self.console, self.session = b"", 0, [], None

    def send(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.requests, json.dumps(message).encode() + b"\0")
        return self.wait(lambda answer: answer.get("id") == self.count)

    def wait(self, wanted):
        """Reads messages until one matches."""
        deadline = time.monotonic() + SECONDS
        while True:
            while b"\0" in self.buffer:
                message, self.buffer = self.buffer.split(b"\0", 1)
                answer = json.loads(message)
                if answer.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                            "Log.entryAdded"):
                    self.console.append(json.dumps(answer["params"])[:400])
                require("error" not in answer, f"Chromium: {answer.get('error')}")
                if wanted(answer):
                    return answer.get("result")
            ready, _, _ = select.select([self.answers], [], [], deadline - time.monotonic())
            require(ready, "Chromium does not answer")
            self.buffer += os.read(self.answers, 1 << 20)

    def open(self, address, width=1280, height=900, **features):
        """Loads a page in a window of this size; `features` are media features."""
        self.resize(width, height)
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])
        self.send("Page.navigate", url=address)
        self.wait(lambda answer: answer.get("method") == "Page.loadEventFired")

    def resize(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def value(self, expression):
        """Value of a JavaScript expression."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        require("exceptionDetails" not in result, f"{expression}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def press(self, key, modifiers=0):
        """Presses and releases a key."""
        code = CODES.get(key) or ord(key.upper())
        text = {"Enter": "\r", "Space": " "}.get(key, key if len(key) == 1 else None)
        event = {"key": " " if key == "Space" else key, "windowsVirtualKeyCode": code,
                 "modifiers": modifiers}
        if text:
            event["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def screenshot(self, whole=False):
        """Screenshot of the window or of the whole page, as PNG."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])


@contextlib.contextmanager
def page():
    """A page in a separate browser process."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise Skip("Chromium is not installed")
    there, requests = os.pipe()
    answers, back = os.pipe()
    # The browser reads from descriptor 3 and writes to descriptor 4.
    command = f'exec 3<&{there} 4>&{back}; exec "$@"'
    browser = subprocess.Popen(
        ["bash", "-c", command, "bash", program, "--headless", "--no-sandbox", "--disable-gpu",
         "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe",
         f"--user-data-dir={fresh('')}", "about:blank"],
        pass_fds=(there, back), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(there)
    os.close(back)
    try:
        driven = Page(requests, answers)
        targets = driven.send("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        driven.session = driven.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            driven.send(f"{domain}.enable")
        yield driven
    finally:
        browser.terminate()
        browser.wait(timeout=SECONDS)
        os.close(requests)
        os.close(answers)


def shown(image, width, height):
    """8-bit sRGB of an image shown alone on a page, pixel for pixel."""
    document = fresh(".html")
    document.write_text(f'<!doctype html><body style="margin:0"><img src="{image.as_uri()}" width="{width}" '
                        f'height="{height}" style="display:block">')
    with page() as driven:
        driven.open(document.as_uri(), width, height)
        return imagecodecs.png_decode(driven.screenshot())[..., :3]
