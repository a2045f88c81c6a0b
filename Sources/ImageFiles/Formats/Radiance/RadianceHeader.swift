// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Platform

/// The text header of a Radiance HDR file.
///
/// Source: "Radiance File Formats", Picture File Format (.hdr).
package struct RadianceHeader: Sendable {
  /// Number of samples in a stored row.
  package let width: Int
  /// Number of stored rows.
  package let height: Int
  package let orientation: Orientation
  /// Whether the components are X, Y and Z, with Y in cd/m².
  package let isXYZ: Bool
  package let primaries: ColorPrimaries?
  /// Factors by which the stored components differ from radiance, for red, green and blue.
  ///
  /// Products of all exposures and color corrections in the header.
  package let multipliers: SIMD3<Double>
  package let resolutionOffset: Int
  /// Offset of the first sample.
  package let end: Int
  package let notices: [Notice]

  /// Maximum size of a header, in bytes; each Radiance program appends a line.
  private static let longest = 1 << 20

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    var isXYZ = false
    var primaries: ColorPrimaries?
    var multipliers = SIMD3(repeating: 1.0)
    var notices: [Notice] = []
    while true {
      let start = reader.fileOffset
      let line = try reader.readLine()
      if line.isEmpty { break }
      guard let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
      let name = line[..<equals].trimmed
      let text = line[line.index(after: equals)...].trimmed
      let numbers = text.split(separator: " ").map { Double($0) ?? .nan }
      func odd(_ code: NoticeCode, _ parameters: DiagnosticParameters) {
        notices.append(Notice(code, parameters, at: .init(path: [name], offset: start)))
      }
      switch name {
      case "FORMAT":
        guard ["32-bit_rle_rgbe", "32-bit_rle_xyze"].contains(text) else {
          throw ImageError(
            .unsupportedValue, ["field": "pixel format", "value": text],
            at: .init(path: [name], offset: start))
        }
        isXYZ = text.hasSuffix("xyze")
      case "EXPOSURE":
        guard numbers.count == 1, numbers[0].isFinite, numbers[0] > 0 else {
          odd(.radianceValueIgnored, ["field": "exposure", "value": text])
          break
        }
        multipliers *= numbers[0]
      case "COLORCORR":
        guard numbers.count == 3, numbers.allSatisfy({ $0.isFinite && $0 > 0 }) else {
          odd(.radianceValueIgnored, ["field": "color correction", "value": text])
          break
        }
        multipliers *= SIMD3(numbers[0], numbers[1], numbers[2])
      case "PRIMARIES":
        guard numbers.count == 8 else {
          odd(
            .radianceValueIgnored, ["field": "primaries", "value": "\(numbers.count) coordinates"])
          break
        }
        primaries = ColorPrimaries(numbers)
      case "GAMMA" where numbers != [1]:
        odd(.radianceValueIgnored, ["field": "gamma", "value": text])
      default: break
      }
    }
    resolutionOffset = reader.fileOffset
    let resolution = try reader.readLine()
    guard let size = Self.resolution(resolution) else {
      throw ImageError(
        .missingElement, ["element": "resolution"],
        at: .init(path: ["resolution"], offset: resolutionOffset))
    }
    (width, height, orientation) = size
    self.isXYZ = isXYZ
    self.primaries = primaries
    self.multipliers = multipliers
    self.notices = notices
    end = reader.fileOffset
  }

  /// Reads the header of a file, loading no more of it than necessary.
  package static func read(from source: ByteSource) throws(ImageError) -> RadianceHeader {
    var length = 1 << 12
    while true {
      let bytes = try source.prefix(length)
      var reader = ByteReader(bytes.span)
      do {
        return try RadianceHeader(parsing: &reader)
      } catch {
        guard error.category == .truncated, length < min(source.count, longest) else { throw error }
        length *= 8
      }
    }
  }

  /// Parses a resolution line such as `-Y 480 +X 640`.
  ///
  /// The first axis is the direction from row to row, the second the direction along a row; Y
  /// points up and X to the right.
  private static func resolution(_ line: String) -> (Int, Int, Orientation)? {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 4, let rows = Int(words[1]), let columns = Int(words[3]) else {
      return nil
    }
    let orientation: Orientation? =
      switch (words[0], words[2]) {
      case ("-Y", "+X"): .upright
      case ("-Y", "-X"): .mirrored
      case ("+Y", "-X"): .rotated180
      case ("+Y", "+X"): .flipped
      case ("+X", "-Y"): .transposed
      case ("-X", "-Y"): .rotated90
      case ("-X", "+Y"): .transversed
      case ("+X", "+Y"): .rotated270
      default: nil
      }
    return orientation.map { (columns, rows, $0) }
  }
}

extension ColorPrimaries {
  /// Creates primaries from the x, y chromaticities of red, green, blue and white, in this order.
  fileprivate init(_ numbers: [Double]) {
    self.init(
      red: Chromaticity(x: numbers[0], y: numbers[1]),
      green: Chromaticity(x: numbers[2], y: numbers[3]),
      blue: Chromaticity(x: numbers[4], y: numbers[5]),
      white: Chromaticity(x: numbers[6], y: numbers[7]))
  }
}

extension ByteReader {
  /// The text up to the next newline, which is consumed.
  @_lifetime(self: copy self)
  fileprivate mutating func readLine() throws(ImageError) -> String {
    var line: [UInt8] = []
    while true {
      let byte = try readBigEndian(as: UInt8.self)
      if byte == 10 { break }
      line.append(byte)
    }
    if line.last == 13 { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}

extension DeclaredImage {
  /// Creates the declarations of the image of a Radiance file.
  ///
  /// Linear values are those before the exposures in the header. RGB is relative, as in nearly all
  /// such files: 1.0 is reference white unless the caller specifies another luminance. XYZ is
  /// absolute.
  init(_ header: RadianceHeader, limits: ImageLimits) throws(ImageError) {
    try limits.check(
      width: header.width, height: header.height, in: "resolution", at: header.resolutionOffset)
    self.init(
      .radiance(header),
      layout: ImageLayout(
        width: header.width, height: header.height, components: .rgb, samples: .float),
      color: ColorDescription(
        primaries: header.isXYZ ? .xyz : header.primaries, referenceWhite: header.isXYZ ? 1 : nil),
      notices: header.notices)
    orientation = header.orientation
  }
}

/// Interprets the headers of Radiance files.
struct RadianceInterpreter {
  private let container: ImageFile
  private let header: RadianceHeader

  init(_ container: ImageFile, _ header: RadianceHeader) {
    self.container = container
    self.header = header
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    let color = ColorInspection(
      declared, in: .radiance,
      carriers: [
        header.isXYZ ? .init("FORMAT", "XYZ in cd/m²") : nil,
        .primaries("PRIMARIES", header.primaries),
      ], options: container.options
    ) { source, _ in
      source == .chromaticities ? header.isXYZ ? "FORMAT" : "PRIMARIES" : nil
    }
    let image = FileImage(
      name: "image", role: .primary, layout: declared.layout, orientation: header.orientation,
      coding: CodecConfiguration(header.isXYZ ? "XYZE" : "RGBE"), color: color)
    return FileContents(
      format: .radiance, source: container.source, images: [image],
      notices: declared.notices + color.notices)
  }
}

extension RadianceHeader: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.radiance, nil) }
  var asContainer: FileContainer { .radiance(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try RadianceInterpreter(file, self).contents()
  }

  /// The lines of the header.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    let bytes = try file.source.bytes(in: 0..<end)
    var nodes: [StructureNode] = []
    var start = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      let range = start..<start + line.count
      start = range.upperBound + 1
      let words = String(decoding: line, as: UTF8.self)
        .split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = words.first, nodes.count < file.options.limits.items else { continue }
      nodes.append(
        StructureNode(name, range, fields: words.count > 1 ? [.init("value", words[1])] : []))
    }
    nodes.append(StructureNode("scanlines", end..<file.source.count))
    return nodes
  }
}
