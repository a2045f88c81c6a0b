// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

/// Script of a page.
enum PageScript {
  static let javaScript = """
    "use strict";
    const number = value => String(Math.round(value * 10) / 10);
    const tenths = step => value => Math.round((value + step) * 10) / 10;
    const moves = {
      ArrowRight: tenths(.1), ArrowUp: tenths(.1), ArrowLeft: tenths(-.1), ArrowDown: tenths(-.1),
      PageUp: value => Math.floor(value) + 1, PageDown: value => Math.ceil(value) - 1,
    };
    const ranges = [];
    const isOrdinary = () => document.body.classList.contains("ordinary");
    for (const item of document.querySelectorAll(".item")) {
      const stops = item.dataset.stops.split(" ").map(Number);
      const shown = item.dataset.layers.split(" ").map(Number);
      const range = item.querySelector("input");
      const output = item.querySelector("output");
      const layers = [...item.querySelectorAll(".layer")];
      const buttons = [...item.querySelectorAll(".strip button")];
      const show = () => {
        const place = Number(range.value);
        const lower = Math.min(Math.floor(place), stops.length - 1);
        const share = place - lower;
        const next = Math.min(lower + 1, stops.length - 1);
        layers.forEach((layer, index) => {
          const opacity = index === shown[lower] ? 1 : index === shown[next] ? share : 0;
          layer.style.opacity = opacity;
          layer.setAttribute("aria-hidden", String(opacity < 0.5));
        });
        const stop = stops[lower] + (stops[next] - stops[lower]) * share;
        const words = number(2 ** stop) + "x · " + number(stop) + (number(stop) === "1" ? " stop" : " stops");
        output.value = words;
        range.setAttribute("aria-valuetext", words);
        buttons.forEach((button, index) => {
          button.setAttribute("aria-pressed", String(index === Math.round(place)));
        });
      };
      // Other headrooms than that of the screen are simulated.
      const move = place => {
        range.value = place;
        if (isOrdinary()) setMode("sim");
        show();
      };
      ranges.push({ show, range, usual: item.dataset.usual });
      range.addEventListener("input", () => move(range.value));
      range.addEventListener("keydown", event => {
        const step = moves[event.key];
        if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        move(step(Number(range.value)));
      });
      buttons.forEach((button, index) => {
        button.firstElementChild.src = layers[shown[index]].querySelector(".sim").src;
        button.addEventListener("click", () => move(button.dataset.place));
      });
      show();
    }
    const dialog = document.querySelector("dialog");
    const enlarge = element => {
      dialog.firstElementChild.replaceChildren(element.cloneNode(true));
      dialog.showModal();
    };
    dialog.addEventListener("click", () => dialog.close());
    document.querySelectorAll("figure button").forEach(button => {
      button.addEventListener("click", () => enlarge(button.firstElementChild));
    });
    document.querySelectorAll(".item").forEach(item => {
      const stage = item.querySelector(".stage");
      [stage, item.querySelector(".enlarge")].forEach(part => part.addEventListener("click", () => enlarge(stage)));
    });
    const modes = [...document.querySelectorAll("[data-mode]")];
    const setMode = mode => {
      document.body.classList.toggle("true-hdr", mode === "real");
      document.body.classList.toggle("ordinary", mode === "own");
      modes.forEach(button => button.setAttribute("aria-pressed", String(button.dataset.mode === mode)));
      document.querySelectorAll(".hint").forEach(hint => { hint.hidden = hint.dataset.for !== mode; });
    };
    const choose = mode => {
      const wasOrdinary = isOrdinary();
      setMode(mode);
      for (const { show, range, usual } of ranges) {
        if (mode === "own") range.value = 0;
        else if (wasOrdinary) range.value = usual;
        show();
      }
    };
    modes.forEach(button => button.addEventListener("click", () => choose(button.dataset.mode)));
    document.addEventListener("keydown", event => {
      if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey || event.altKey) return;
      choose(document.body.classList.contains("true-hdr") ? "sim" : "real");
    });
    const high = matchMedia("(dynamic-range: high)");
    const tell = () => {
      document.querySelectorAll(".support").forEach(part => {
        part.textContent =
          high.matches ? "This display has headroom." : "This display reports no headroom: the browser tone maps.";
      });
    };
    high.addEventListener("change", tell);
    tell();
    """
}
