# SPDX-License-Identifier: Apache-2.0
"""Checks a site: targets of all links and images, and articles as Chromium shows them.

usage: check_pages.py SITE [SCREENSHOTS]
"""

import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import threading

site = pathlib.Path(sys.argv[1])
screenshots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
problems = []
FOREIGN = ("Swift.", "Foundation", "Synchronization.", "Dispatch.")


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


def shown(address, *options):
    """The page as Chromium renders it."""
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--virtual-time-budget=20000", "--window-size=1200,1600", *options, address],
        capture_output=True, text=True, timeout=120).stdout


pages = sorted((site / "data" / "documentation").rglob("*.json"))
base = json.loads((site / "metadata.json").read_text()).get("hostingBasePath", "")
articles = []
for page in pages:
    content = check_references(page, base)
    is_module = page.parent.name == "documentation"
    if is_module or content.get("kind") == "article" and "implementations" not in page.name:
        articles.append((page, content["metadata"]["title"]))

if shutil.which("chromium"):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            """Prints nothing."""

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for page, title in articles:
        path = page.relative_to(site / "data").with_suffix("")
        address = f"http://127.0.0.1:{server.server_port}/{path}"
        options = ["--dump-dom"]
        if screenshots:
            screenshots.mkdir(parents=True, exist_ok=True)
            options.append(f"--screenshot={(screenshots / path.name).resolve()}.png")
        if title not in shown(address, *options).replace("&amp;", "&"):
            problems.append(f"{path}: Chromium does not show {title!r}")
    server.shutdown()

print(f"{len(pages)} pages, {len(articles)} articles and modules, {len(problems)} problems")
if problems:
    sys.exit("\n".join(problems[:50]))
