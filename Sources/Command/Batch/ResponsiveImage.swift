// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// The HTML element for the outputs of a web set, of which browsers choose one.
struct ResponsiveImage {
  /// An output with its size in pixels.
  struct Image {
    let path: String
    let format: FileFormat
    let width: Int
    let height: Int
    /// Whether it is too dark or flat without a display for HDR.
    var isHDR = false
  }

  /// The images, the smallest of each format first.
  private let images: [Image]
  /// The folder of the page, to which addresses are relative.
  private let folder: String?

  init(_ images: [Image], in folder: String?) {
    self.images = images.sorted { $0.width < $1.width }
    self.folder = folder
  }

  private func rank(of format: FileFormat) -> Int {
    let traits = format.traits
    let preferred = ["image/avif", "image/jxl"]
    return preferred.firstIndex { $0 == traits.mediaType }
      ?? (traits.isLimitedTo8Bits ? preferred.count + 1 : preferred.count)
  }

  /// The element in lines of HTML.
  var lines: [String] {
    // Browsers take the first that they read; the last is that of `<img>`.
    let formats = Set(images.map(\.format)).sorted { rank(of: $0) < rank(of: $1) }
    guard let last = formats.last, let largest = images.last(where: { $0.format == last }) else {
      return []
    }
    let sources = formats.dropLast().map { format in
      let isForHDR = isHDR(format) && !isHDR(last)
      return #"  <source type="\#(format.traits.mediaType ?? "")""#
        + (isForHDR ? #" media="(dynamic-range: high)""# : "")
        + #" srcset="\#(sourceSet(of: format))" sizes="100vw">"#
    }
    let image =
      #"  <img src="\#(address(of: largest))" srcset="\#(sourceSet(of: last))" sizes="100vw" "#
      + #"width="\#(largest.width)" height="\#(largest.height)" alt="">"#
    return ["<picture>"] + sources + [image, "</picture>"]
  }

  private func isHDR(_ format: FileFormat) -> Bool {
    images.contains { $0.format == format && $0.isHDR }
  }

  private func sourceSet(of format: FileFormat) -> String {
    images.filter { $0.format == format }.map { "\(address(of: $0)) \($0.width)w" }
      .joined(separator: ", ")
  }

  /// The relative address, with the characters escaped that separate addresses or end the attribute.
  private func address(of image: Image) -> String {
    let prefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    let path = image.path.hasPrefix(prefix) ? image.path.dropFirst(prefix.count) : image.path[...]
    return path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        character.isASCII
        && (character.isLetter || character.isNumber || "/-_.~".contains(character))
      return isPlain
        ? String(character) : "%" + String(0x100 + Int(byte), radix: 16).dropFirst().uppercased()
    }.joined()
  }
}
