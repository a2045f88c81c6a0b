// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The header of a JPEG XL codestream: size, bit depth and color of the image.
///
/// Source: ISO/IEC 18181-1, annex D (SizeHeader, ImageMetadata).
package struct JPEGXLImageHeader: Hashable, Sendable {
  package struct PreviewSize: Hashable, Sendable {
    package var width: Int
    package var height: Int
  }

  package struct BitDepth: Hashable, Sendable {
    package var bits: Int
    package var isFloat: Bool
  }

  package var width: Int
  package var height: Int
  /// Orientation of the coded image.
  package var orientation = Orientation.upright
  package var isAnimation = false
  /// Whether the frames of an animation have time codes.
  private(set) var hasTimeCodes = false
  /// Size of the preview frame, which precedes the image; `nil` if it is missing.
  package var preview: PreviewSize?
  package var depth = BitDepth(bits: 8, isFloat: false)
  /// Whether integers of 16 bits are sufficient for intermediate results of decoding.
  package var fits16BitBuffers = true
  /// Channels in addition to color: alpha, depth and others.
  package var extraChannels: [JPEGXLExtraChannel] = []
  /// Whether the codestream is coded in XYB, as lossy codestreams are.
  package var isXYB = true
  package var color = JPEGXLColorEncoding.standing
  /// Luminances of the image.
  package var toneMapping = JPEGXLToneMapping()
  private(set) var layout = JPEGXLHeaderLayout()

  /// The first alpha channel; `nil` for an opaque image.
  package var alpha: JPEGXLExtraChannel? { extraChannels.first { $0.type == .alpha } }
  package var hasAlpha: Bool { alpha != nil }

  /// The first bytes of every codestream.
  static let signature: [UInt8] = [0xFF, 0x0A]

  /// Parses the header of a codestream.
  ///
  /// - Throws: `.malformed` or `.truncated` if it is not a valid header.
  package init(parsing codestream: [UInt8]) throws(ImageError) {
    guard codestream.starts(with: Self.signature) else {
      throw ImageError(.notOfFormat, ["format": "JPEG XL"], at: .init(offset: 0))
    }
    var reader = BitReader(codestream, order: .leastSignificantFirst, offset: 0)
    _ = try reader.read(16)
    (width, height) = try Self.size(&reader)
    layout.metadata = reader.position
    try readMetadata(&reader)
    // Only edits require the end of the header.
    try? layout.readEnd(&reader, isXYB: isXYB)
  }

  private static func size(
    _ reader: inout BitReader
  ) throws(ImageError) -> (width: Int, height: Int) {
    let isSmall = try reader.readFlag()
    func side(_ reader: inout BitReader) throws(ImageError) -> Int {
      if isSmall { return 8 * (Int(try reader.read(5)) + 1) }
      return Int(
        try reader.read(
          .bits(9, offset: 1), .bits(13, offset: 1), .bits(18, offset: 1), .bits(30, offset: 1)))
    }
    let height = try side(&reader)
    if let width = width(ratio: try reader.read(3), height) { return (width, height) }
    return (try side(&reader), height)
  }

  /// Returns the width for an aspect ratio code; `nil` for 0, which signals an explicit width.
  private static func width(ratio: UInt32, _ height: Int) -> Int? {
    switch ratio {
    case 1: height
    case 2: height * 12 / 10
    case 3: height * 4 / 3
    case 4: height * 3 / 2
    case 5: height * 16 / 9
    case 6: height * 5 / 4
    case 7: height * 2
    default: nil
    }
  }

  private mutating func readMetadata(_ reader: inout BitReader) throws(ImageError) {
    if try reader.readFlag() { return }
    layout.hasExtraFields = try reader.readFlag()
    layout.fields = reader.position
    if layout.hasExtraFields { try readExtraFields(&reader) }
    depth = try Self.depth(&reader)
    fits16BitBuffers = try reader.readFlag()
    let count = try reader.read(.value(0), .value(1), .bits(4, offset: 2), .bits(12, offset: 1))
    for _ in 0..<count { extraChannels.append(try JPEGXLExtraChannel(&reader)) }
    isXYB = try reader.readFlag()
    let start = reader.position
    color = try JPEGXLColorEncoding(&reader)
    layout.color = start..<reader.position
    if layout.hasExtraFields { toneMapping = try JPEGXLToneMapping(&reader) }
  }

  private mutating func readExtraFields(_ reader: inout BitReader) throws(ImageError) {
    orientation = Orientation(rawValue: Int(try reader.read(3)) + 1) ?? .upright
    if try reader.readFlag() { _ = try Self.size(&reader) }  // Intrinsic size.
    if try reader.readFlag() { preview = try Self.preview(&reader) }
    isAnimation = try reader.readFlag()
    if isAnimation { hasTimeCodes = try Self.skipAnimation(&reader) }
  }

  static func depth(_ reader: inout BitReader) throws(ImageError) -> BitDepth {
    guard try reader.readFlag() else {
      let bits = try reader.read(.value(8), .value(10), .value(12), .bits(6, offset: 1))
      return BitDepth(bits: Int(bits), isFloat: false)
    }
    let bits = try reader.read(.value(32), .value(16), .value(24), .bits(6, offset: 1))
    _ = try reader.read(4)  // Bits of the exponent.
    return BitDepth(bits: Int(bits), isFloat: true)
  }

  /// Source: ISO/IEC 18181-1, D.3.3: PreviewHeader.
  private static func preview(_ reader: inout BitReader) throws(ImageError) -> PreviewSize {
    let isMultipleOf8 = try reader.readFlag()
    func side(_ reader: inout BitReader) throws(ImageError) -> Int {
      guard isMultipleOf8 else {
        return Int(
          try reader.read(
            .bits(6, offset: 1), .bits(8, offset: 65), .bits(10, offset: 321),
            .bits(12, offset: 1345)))
      }
      return 8
        * Int(try reader.read(.value(16), .value(32), .bits(5, offset: 1), .bits(9, offset: 33)))
    }
    let height = try side(&reader)
    if let width = width(ratio: try reader.read(3), height) {
      return PreviewSize(width: width, height: height)
    }
    return PreviewSize(width: try side(&reader), height: height)
  }

  /// Skips the timing of an animation.
  ///
  /// - Returns: Whether its frames have time codes.
  private static func skipAnimation(_ reader: inout BitReader) throws(ImageError) -> Bool {
    _ = try reader.read(.value(100), .value(1000), .bits(10, offset: 1), .bits(30, offset: 1))
    _ = try reader.read(.value(1), .value(1001), .bits(8, offset: 1), .bits(10, offset: 1))
    _ = try reader.read(.value(0), .bits(3), .bits(16), .bits(32))
    return try reader.readFlag()
  }
}

extension JPEGXLImageHeader {
  /// The extra channels as images.
  var channelImages: [FileImage] {
    extraChannels.enumerated().map { index, channel in
      FileImage(
        name: "channel \(index + 1)", role: channel.role, auxiliaryType: channel.auxiliaryType,
        layout: channelLayout(channel), floatBits: channel.depth.isFloat ? channel.depth.bits : nil,
        orientation: orientation,
        coding: CodecConfiguration("JPEG XL", lumaDepth: channel.depth.bits))
    }
  }

  /// The preview frame as an image; `nil` if it is missing.
  var previewImage: FileImage? {
    previewLayout.map { layout in
      FileImage(
        name: "preview", role: .preview, layout: layout, orientation: orientation,
        coding: CodecConfiguration("JPEG XL", lumaDepth: depth.bits))
    }
  }

  /// Layout of the decoded samples of the preview frame; `nil` if it is missing.
  package var previewLayout: ImageLayout? {
    guard let preview else { return nil }
    var layout = imageLayout
    (layout.width, layout.height) = (preview.width, preview.height)
    return layout
  }

  /// Layout of the decoded samples of an extra channel, which have the size of the image.
  package func channelLayout(_ channel: JPEGXLExtraChannel) -> ImageLayout {
    let depth = channel.depth
    return ImageLayout(
      width: width, height: height, components: .gray,
      samples: depth.isFloat || depth.bits > 16 ? .float : .integer(bits: depth.bits))
  }
}

extension JPEGXLExtraChannel {
  fileprivate var role: FileImage.Role {
    if let auxiliaryType { return FileImage.Role(auxiliaryType: auxiliaryType) }
    return switch type {
    case .alpha: .alpha
    case .selectionMask: .matte
    default: .auxiliary
    }
  }

  /// The display name of the type.
  var title: String {
    switch type {
    case .alpha: "alpha"
    case .depth: "depth"
    case .spotColor: "spot color"
    case .selectionMask: "selection mask"
    case .black: "black"
    case .filterColor: "color filter"
    case .thermal: "thermal"
    case .unknown, .optional, nil: "other"
    }
  }
}

extension JPEGXLImageHeader {
  /// Number of bytes that contain the header; `nil` if its end cannot be determined.
  ///
  /// The last one may contain the first bits of an ICC profile.
  package var byteCount: Int? {
    guard let end = layout.end else { return nil }
    let count = (end + 7) / 8
    // An edit may add fields, and the new header must not be too long.
    return count + (layout.hasExtraFields ? 0 : 8) <= JPEGXLFile.longestHeader ? count : nil
  }

  /// Serializes the header with another orientation and color; all other fields are copied.
  ///
  /// An ICC profile follows the header without padding, and only decoding it would find its end.
  /// Therefore, the header then grows by whole bytes: new extra fields have 7 bits, and 56 with the
  /// default values of tone mapping.
  ///
  /// - Parameters:
  ///   - codestream: The codestream that the header was parsed from, or its beginning.
  ///   - orientation: The new orientation.
  ///   - cicp: New code points, which `color.canStore(_:)` accepts; `nil` to copy the color. They
  ///     must be `nil` if the color is an ICC profile.
  /// - Returns: Bytes that replace the first `byteCount` ones.
  /// - Throws: `.malformed` if the end of the header cannot be determined.
  ///
  /// Source: ISO/IEC 18181-1, D.3.1: ImageMetadata.
  func serialized(
    replacing codestream: [UInt8], orientation: Orientation, cicp: CICP?
  ) throws(ImageError) -> [UInt8] {
    guard let end = layout.end, let byteCount, byteCount <= codestream.count else {
      throw ImageError(.jpegxlHeaderInvalid)
    }
    var writer = JPEGXLBitWriter()
    writer.copy(0..<layout.metadata, of: codestream)
    writer.write(false)  // Not the default.
    writer.write(true)  // Extra fields.
    writer.write(UInt32(orientation.rawValue - 1), bits: 3)
    if !layout.hasExtraFields { writer.write(0, bits: 3) }  // Intrinsic size, preview, animation.
    if let fields = layout.fields {
      writer.copy(
        fields + (layout.hasExtraFields ? 3 : 0)..<layout.color.lowerBound, of: codestream)
    } else {
      Self.writeDefaultFields(to: &writer)
    }
    if let cicp {
      guard color.write(cicp, to: &writer) else { throw ImageError(.jpegxlHeaderInvalid) }
    } else if layout.fields != nil {
      writer.copy(layout.color, of: codestream)
    } else {
      writer.write(true)  // sRGB.
    }
    if !layout.hasExtraFields { writeDefaultToneMapping(to: &writer) }
    if layout.fields == nil {
      writer.write(0, bits: 2)  // No extensions.
      writer.copy(layout.metadata + 1..<end, of: codestream)
    } else {
      writer.copy(layout.color.upperBound..<end, of: codestream)
    }
    if color.hasProfile { writer.copy(end..<8 * byteCount, of: codestream) }
    return writer.bytes
  }

  /// Writes the default values of the fields between extra fields and color encoding.
  private static func writeDefaultFields(to writer: inout JPEGXLBitWriter) {
    writer.write(0, bits: 3)  // Integers of 8 bits.
    writer.write(true)  // Buffers of 16 bits.
    writer.write(0, bits: 2)  // No extra channels.
    writer.write(true)  // XYB.
  }

  private func writeDefaultToneMapping(to writer: inout JPEGXLBitWriter) {
    guard color.hasProfile else { return writer.write(true) }
    writer.write(false)
    writer.write(0x5BF8, bits: 16)  // Intensity target: 255.
    writer.write(0, bits: 16 + 1 + 16)
  }
}

/// Positions of the fields in the header of a codestream that can be changed, in bits.
struct JPEGXLHeaderLayout: Hashable, Sendable {
  /// Start of ImageMetadata.
  var metadata = 0
  /// Start of the fields of ImageMetadata, after its flags; `nil` if all have default values.
  var fields: Int?
  /// Whether the fields begin with the orientation, and contain tone mapping.
  var hasExtraFields = false
  /// The color encoding.
  var color = 0..<0
  /// End of CustomTransformData, before an ICC profile or the padding that precedes frames; `nil` if
  /// its fields are invalid.
  var end: Int?

  /// Reads the fields between tone mapping and the end of the header.
  ///
  /// - Throws: `.truncated` or `.malformed` if they are invalid.
  ///
  /// Source: ISO/IEC 18181-1, D.3.1 and E.1; clause 9.3: Extensions.
  mutating func readEnd(_ reader: inout BitReader, isXYB: Bool) throws(ImageError) {
    if fields != nil { try reader.skipExtensions() }
    if try !reader.readFlag() {
      if isXYB { try Self.skipOpsinInverse(&reader) }
      let weights = try reader.read(3)
      for (bit, count) in [15, 55, 210].enumerated() where weights >> UInt32(bit) & 1 == 1 {
        try reader.skip(16 * count)
      }
    }
    end = reader.position
  }

  /// Skips the inverse matrix, biases and biases of quantization.
  private static func skipOpsinInverse(_ reader: inout BitReader) throws(ImageError) {
    if try !reader.readFlag() { try reader.skip(16 * (9 + 3 + 4)) }
  }
}

/// Luminances of a JPEG XL image.
///
/// Source: ISO/IEC 18181-1, E.4: ToneMapping.
package struct JPEGXLToneMapping: Hashable, Sendable {
  /// Upper bound of the luminance of the image in cd/m²; the luminance of the largest sample of
  /// formats that are not absolute.
  package var intensityTarget = Self.standardIntensityTarget
  /// Lower bound of the luminance of the image, in cd/m².
  package var minimumLuminance = 0.0

  /// The default, with which encoders mark images of standard dynamic range.
  package static let standardIntensityTarget = 255.0

  init() {}

  init(_ reader: inout BitReader) throws(ImageError) {
    if try reader.readFlag() { return }
    intensityTarget = try reader.readHalf()
    minimumLuminance = try reader.readHalf()
    _ = try reader.readFlag()  // Whether the next field is relative to the display.
    _ = try reader.readHalf()  // Luminance below which tone mapping is linear.
  }
}
