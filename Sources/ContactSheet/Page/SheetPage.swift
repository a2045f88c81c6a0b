// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
public import HDRCore
internal import ImageFiles

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
