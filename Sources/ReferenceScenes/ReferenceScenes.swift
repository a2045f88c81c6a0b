// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Generates the images of `reference-images/` and their README.
@main
enum ReferenceScenes {
  static func main() {
    guard CommandLine.arguments.count == 2, CommandLine.arguments[1].first != "-" else {
      fail("usage: reference-scenes FOLDER", status: 64)
    }
    do {
      try write(to: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
    } catch {
      fail("reference-scenes: \(error)", status: 74)
    }
  }

  private static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var rows: [String] = []
    for file in ReferenceFile.all {
      let bytes = try file.bytes()
      try Data(bytes).write(to: folder.appendingPathComponent(file.name))
      rows.append("| `\(file.name)` | \(file.point) | `\(SHA256.hexadecimal(bytes))` |")
    }
    try readme(rows).write(
      to: folder.appendingPathComponent("README.md"), atomically: true, encoding: .utf8)
  }

  private static func readme(_ rows: [String]) -> String {
    """
    # Reference images

    Computed by this project's generator, `swift run -c release reference-scenes FOLDER`, without any
    source images; the project's license, Apache-2.0, applies. OpenEXR and Radiance files contain linear
    values in BT.2020 primaries in which 1.0 is 203 cd/m² (signaled by `whiteLuminance` in OpenEXR).

    | file | content | SHA-256 |
    |---|---|---|
    \(rows.joined(separator: "\n"))

    The checksums are those of the files in this folder; on another platform the last bit of an `exp` or
    another zlib may produce different bytes for the same image.

    ## Folders

    `containers` has the chart in every container and flavor of gain maps, with expected samples,
    and `faults` one deliberate fault per file, with expected findings, for authors of readers and
    validators.

    ## The patches of `chart.exr`

    Rows from top to bottom, patches from left to right; red, green and blue in cd/m². The
    first row is gray: black, the black of ISO 22028-5's reference display, 18 % gray (26), diffuse
    white (203), and steps to the peak of PQ. Next are the corners of BT.2020 (at 203 and at 1000),
    those of P3 and of BT.709, six familiar colors (light and dark skin, sky, leaf, orange, lit
    window), and the corners of ACES AP0, which are outside BT.2020 and have negative components.

    \(chart())

    """
  }

  private static func chart() -> String {
    ChartScene.patches.enumerated().map { index, row in
      let patches = row.map { light in
        (0..<3).map { String(format: "%.6g", light[$0]) }.joined(separator: " ")
      }
      return "\(index + 1). " + patches.joined(separator: "; ")
    }.joined(separator: "\n")
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
