// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles
internal import Platform

/// A contact sheet as a self-contained HTML page.
public enum SheetPage {
  /// Writes a page.
  ///
  /// - Parameters:
  ///   - items: The images.
  ///   - unread: Names of files that could not be read.
  /// - Returns: HTML.
  /// - Throws: Errors of encoding; `.missingCodec` without JPEG, AVIF and PNG.
  public static func html(
    _ items: [SheetItem], unread: [String] = []
  ) throws(ImageError) -> String {
    let simulation = try HeadroomSimulation(brightest: items.brightest)
    let opensOrdinary = simulation.dimming < 1 && items.allSatisfy { $0.ordinary != nil }
    var sections: [String] = []
    for (index, item) in items.enumerated() {
      sections.append(
        try PageItem(
          item: item, encoder: DataURLEncoder(), simulation: simulation,
          opensOrdinary: opensOrdinary
        ).html(index: index))
    }
    // Two sections do not need a list.
    let links =
      items.count < 3
      ? ""
      : """
      <nav aria-label="Images">
      \(items.enumerated().map { "<a href=\"#item-\($0.offset)\">\($0.element.name.escaped)</a>" }
        .joined(separator: "\n"))
      </nav>
      """
    let missing =
      unread.isEmpty
      ? "" : "<p>Not read: \(unread.joined(separator: ", ").escaped)</p>"
    let ordinary: (button: String, hint: String) =
      opensOrdinary
      ? (
        button: """
        <button type="button" data-mode="own" aria-pressed="true">SDR</button>

        """,
        hint: """
        <p class="hint" data-for="own">SDR images as bright as on any screen: white is the white of this screen. \
        Other headrooms are simulated, with all images darker.</p>

        """
      ) : ("", "")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="dark light">
      <title>Rendition for each display</title>
      <link rel="icon" href="data:,">
      <style>
      \(PageStyle.css)
      </style>
      </head>
      <body\(opensOrdinary ? " class=\"ordinary\"" : "")>
      <header>
      <div class="title">
      <h1>Rendition for each display</h1>
      <div class="modes" role="group" aria-label="How to show headroom">
      \(ordinary.button)<button type="button" data-mode="sim" aria-pressed="\(!opensOrdinary)">Simulated</button>
      <button type="button" data-mode="real" aria-pressed="false">True HDR</button>
      </div>
      </div>
      <p>Move the slider: a display with more headroom shows more of the highlights in the file.</p>
      \(ordinary.hint)<p class="hint" data-for="sim"\(opensOrdinary ? " hidden" : "")>\(simulation.explanation) \
      Many phones have a headroom of 4x in a lit room. Between two displays the slider blends.</p>
      <p class="hint" data-for="real" hidden>PQ images, for a display and a browser with headroom. \
      <span class="support"></span></p>
      \(missing)
      \(links)
      </header>
      <main>
      \(sections.joined(separator: "\n"))
      </main>
      <footer>Keys: arrows move a slider, Page Up and Page Down go from display to display, \
      Home and End to its ends; H changes between simulated and true HDR. A click enlarges an image or a plot; \
      Escape closes it.</footer>
      <dialog aria-label="Enlarged"><button type="button" aria-label="Close"></button></dialog>
      <script>
      \(PageScript.javaScript)
      </script>
      </body>
      </html>

      """
  }
}

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

/// Style sheet of a page.
enum PageStyle {
  static let css = """
    :root { --back: #2b2b2b; --panel: #383838; --line: #4d4d4d; --text: #e0e0e0; --quiet: #b4b4b4; --accent: #f2c14e; }
    @media (prefers-color-scheme: light) { :root { --back: #545454; --panel: #474747; --line: #7a7a7a; --text: #ffffff; --quiet: #dcdcdc; --accent: #ffd873; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
    header, main, footer { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 20px; padding-bottom: 12px; }
    .title { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px; margin-bottom: 8px; }
    h1 { font-size: 24px; line-height: 1.15; letter-spacing: -.01em; margin: 0; font-weight: 650; }
    header p { color: var(--quiet); margin: 0; }
    header .hint { margin: 4px 0 0; font-size: 13px; }
    h2 { font-size: 18px; font-weight: 600; margin: 0 0 8px; overflow-wrap: anywhere; }
    .item { border-top: 1px solid var(--line); padding: 14px 0 40px; }
    .modes { display: inline-flex; border: 1px solid var(--line); border-radius: 999px; padding: 3px; background: var(--panel); }
    button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer; }
    .modes button { padding: 5px 16px; border-radius: 999px; color: var(--quiet); }
    .modes button[aria-pressed="true"] { background: var(--line); color: var(--text); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
    .stage { position: relative; width: min(100%, max(240px, 100vh - 330px) * var(--ratio)); aspect-ratio: var(--ratio); margin: 0 auto; border-radius: 6px; overflow: hidden; background: #000; cursor: zoom-in; }
    .layer, .stage img { position: absolute; inset: 0; width: 100%; height: 100%; }
    .stage img { object-fit: contain; dynamic-range-limit: no-limit; }
    .plain, .layer .real, .true-hdr .layer .sim, .ordinary .layer img { visibility: hidden; }
    .true-hdr .layer .real, .ordinary .plain { visibility: inherit; }
    nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 10px; font-size: 14px; }
    nav a { color: var(--text); overflow-wrap: anywhere; }
    .control { display: flex; align-items: center; gap: 16px; margin: 8px 0; }
    .control label { color: var(--quiet); }
    .control output { min-width: 13ch; white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; }
    .enlarge { padding: 3px 14px; border: 1px solid var(--line); border-radius: 999px; }
    input[type="range"] { flex: 1; min-width: 0; height: 28px; margin: 0; accent-color: var(--accent); cursor: pointer; }
    .strip { margin-top: 12px; display: grid; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); gap: 10px; }
    .strip button { padding: 0; border-radius: 8px; overflow: hidden; background: var(--panel); text-align: left; border: 1px solid transparent; }
    .strip button[aria-pressed="true"] { border-color: var(--accent); }
    .strip img { display: block; width: 100%; aspect-ratio: 3 / 2; object-fit: cover; dynamic-range-limit: standard; }
    .strip span { display: block; padding: 4px 10px 5px; font-size: 13px; font-variant-numeric: tabular-nums; }
    .views { display: grid; grid-template-columns: repeat(auto-fit, minmax(205px, 1fr)); gap: 18px; margin: 26px 0 8px; }
    figure { margin: 0; }
    figure button { display: block; width: 100%; padding: 0; cursor: zoom-in; }
    .panel { display: block; width: 100%; aspect-ratio: 3 / 2; object-fit: contain; border-radius: 6px; background: #1c1c1c; dynamic-range-limit: standard; }
    dialog { max-width: none; max-height: none; padding: 0; border: 0; background: none; color: inherit; }
    dialog::backdrop { background: rgb(28 28 28 / .94); }
    dialog button { display: block; padding: 0; cursor: zoom-out; }
    dialog .panel { width: min(96vw, 138vh); }
    dialog .stage { width: min(96vw, 92vh * var(--ratio)); cursor: inherit; }
    figcaption { font-size: 12.5px; color: var(--quiet); margin-top: 6px; }
    figcaption b { color: var(--text); font-weight: 600; margin-right: 6px; }
    figcaption span { white-space: nowrap; margin-right: 8px; }
    figcaption i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 4px; border: 1px solid var(--line); }
    .words { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 28px; margin-top: 24px; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 0; font-size: 14px; align-content: start; }
    dt { color: var(--quiet); }
    dd { margin: 0; overflow-wrap: anywhere; }
    .verdicts { display: grid; gap: 8px; align-content: start; font-size: 14px; }
    .verdict { background: var(--panel); border-radius: 8px; padding: 8px 14px; border-left: 3px solid #58b98a; }
    .verdict.warn { border-color: var(--accent); }
    .verdict.fail { border-color: #e5484d; }
    .verdict em { font-style: normal; color: var(--quiet); }
    .verdict ul { margin: 4px 0 2px; padding-left: 18px; color: var(--quiet); }
    footer { color: var(--quiet); font-size: 13px; padding-top: 8px; padding-bottom: 48px; }
    @media (max-width: 600px) { header, main, footer { padding-left: 16px; padding-right: 16px; } h1 { font-size: 20px; } header { padding-top: 16px; } .control { flex-wrap: wrap; gap: 4px 16px; } .control input { order: 1; flex-basis: 100%; } .control output { margin-left: auto; } }
    """
}

/// Encodes images as data URLs.
struct DataURLEncoder {
  /// sRGB as JPEG, or as PNG in builds without JPEG.
  func standard(_ image: Canvas) throws(ImageError) -> String {
    let format = FileFormat.jpeg.isWritable ? FileFormat.jpeg : .png
    return try dataURL(
      image, as: format, ColorEncoding(primaries: .bt709, transfer: .srgb), bits: 8,
      CICP(
        primaries: .bt709, transfer: .srgb,
        matrix: format.traits.subsamplings.isEmpty ? .identity : .bt601,
        isFullRange: true))
  }

  /// PQ as AVIF, or as PNG in builds without AVIF.
  func pq(_ image: Canvas) throws(ImageError) -> String {
    let format = FileFormat.avif.isWritable ? FileFormat.avif : .png
    return try dataURL(
      image, as: format, ColorEncoding(primaries: .bt2020, transfer: .pq), bits: 10,
      CICP(
        primaries: .bt2020, transfer: .pq,
        matrix: format.traits.isVideoCoded ? .bt2020NonConstant : .identity,
        isFullRange: true))
  }

  private func dataURL(
    _ image: Canvas, as format: FileFormat, _ encoding: ColorEncoding, bits: Int, _ cicp: CICP
  ) throws(ImageError) -> String {
    var encoding = encoding
    encoding.matrix = cicp.matrix
    encoding.chromaLocation = format.traits.chromaLocation
    let components: ImageLayout.Components = cicp.matrix == .identity ? .rgb : .ycbcr(.yuv420)
    var target = ImageDescription(
      layout: ImageLayout(
        width: image.width, height: image.height, components: components,
        samples: .integer(bits: bits)), color: encoding)
    let stored = try image.output(as: target)
    let isPQ = encoding.transfer == .pq
    if isPQ { target.light.contentLightLevel = stored.lightLevels.contentLightLevel }
    let output = OutputImage(Image(target, stored.image), signalsCICP: format.traits.carriesCICP)
    let bytes = try output.encoded(
      as: format,
      options: EncoderOptions(quality: isPQ ? 65 : 75, speed: 8))
    return "data:\(format.traits.mediaType ?? "");base64," + Data(bytes).base64EncodedString()
  }
}

extension FileFormat {
  fileprivate var isWritable: Bool {
    CodecSupport.all.contains { $0.format == self && $0.canEncode }
  }
}
