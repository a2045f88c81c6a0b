# SPDX-License-Identifier: Apache-2.0
"""Checks a site: targets of all links and images, groups of symbols, and articles as Chromium shows them.

usage: check_pages.py SITE [SCREENSHOTS]
"""

import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading

site = pathlib.Path(sys.argv[1])
screenshots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
problems = []
FOREIGN = ("Swift.", "Foundation", "Synchronization.", "Dispatch.")
# Widths at which the first page is shown: a phone and a laptop.
WIDTHS = (390, 1280)
# The first page in a frame of a width, which windows of Chromium cannot have; the title becomes its measured size.
FRAME = """<!doctype html><body style="margin: 0"><iframe src="/" style="border: 0; width: %dpx; height: 3000px"
onload="const page = this.contentDocument.documentElement; document.title = page.scrollWidth + ' wide, ' +
page.querySelector('body').scrollHeight + ' high'"></iframe>"""


def check_references(page, base):
    """Checks that the pages and images which a page refers to exist."""
    content = json.loads(page.read_text())
    for reference in content.get("references", {}).values():
        kind = reference.get("type")
        if kind in ("topic", "section") and "url" in reference:
            address = reference["url"].split("#")[0].removeprefix(base).strip("/")
            if not (site / "data" / f"{address}.json").exists():
                problems.append(f"{page.relative_to(site)}: link to {reference['url']}")
        if kind == "image":
            for variant in reference["variants"]:
                path = variant["url"].removeprefix(base).strip("/")
                if not (site / path).exists():
                    problems.append(f"{page.relative_to(site)}: image {variant['url']}")
        # The standard library is documented elsewhere.
        if kind == "unresolvable" and not reference["title"].startswith(FOREIGN):
            problems.append(f"{page.relative_to(site)}: {reference['title']} is not resolved")
    return content


def check_first_page(modules):
    """Checks that the links of the first page are relative and have targets, and that it names all modules."""
    links = re.findall(r'(?:href|src)="([^"]+)"', (site / "index.html").read_text())
    for link in links:
        path, _, section = link.partition("#")
        target = site / path / "index.html" if path.endswith("/") else site / path
        if link.startswith("/") or not target.is_file():
            problems.append(f"index.html: link to {link}")
        elif section and f'"anchor":"{section}"' not in (site / "data" / f"{path.strip('/')}.json").read_text():
            problems.append(f"index.html: no section {link}")
    for module in modules:
        if f"documentation/{module}/" not in links:
            problems.append(f"index.html: no link to {module}")


def shown(address, *options, size="1200,1600", name=None):
    """The page as Chromium renders it."""
    if screenshots and name:
        screenshots.mkdir(parents=True, exist_ok=True)
        options = (f"--screenshot={(screenshots / name).resolve()}.png", *options)
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--dump-dom",
         "--virtual-time-budget=20000", f"--window-size={size}", *options, address],
        capture_output=True, text=True, timeout=120).stdout


pages = sorted((site / "data" / "documentation").rglob("*.json"))
base = json.loads((site / "metadata.json").read_text()).get("hostingBasePath", "")
articles = []
for page in pages:
    content = check_references(page, base)
    is_module = page.parent.name == "documentation"
    if is_module or content.get("kind") == "article" and "implementations" not in page.name:
        articles.append((page, content["metadata"]["title"]))
    # Groups that docc makes, of symbols that the catalog of the module does not list under Topics.
    for group in content.get("topicSections", []) if is_module else ():
        if group.get("generated"):
            names = ", ".join(name.split("/")[-1] for name in group["identifiers"])
            problems.append(f"{page.relative_to(site)}: not under Topics: {names}")
check_first_page(page.stem for page, _ in articles if page.parent.name == "documentation" and page.stem != "site")

if shutil.which("chromium"):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            """Serves a file, or the first page in a frame."""
            frame = re.fullmatch(r"/frame-(\d+)", self.path)
            if not frame:
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((FRAME % int(frame[1])).encode())

        def log_message(self, *arguments):
            """Prints nothing."""

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    for width in WIDTHS:
        text = shown(f"{address}/frame-{width}", size=f"{width},3000", name=f"index-{width}")
        if f"<title>{width} wide" not in text:
            problems.append(f"index.html: {re.findall('<title>.*</title>', text)} in {width} pixels")
    for page, title in articles:
        path = page.relative_to(site / "data").with_suffix("")
        if title not in shown(f"{address}/{path}", name=path.name).replace("&amp;", "&"):
            problems.append(f"{path}: Chromium does not show {title!r}")
    server.shutdown()

print(f"{len(pages)} pages, {len(articles)} articles and modules, {len(problems)} problems")
if problems:
    sys.exit("\n".join(problems[:50]))
