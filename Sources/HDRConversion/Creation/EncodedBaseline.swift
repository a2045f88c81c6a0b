// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// A baseline image in a file of its own, as readers decode it.
struct EncodedBaseline {
  /// Layout and color of the decoded image.
  let description: ImageDescription
  /// Size of the encoded samples with alpha and auxiliary images, in bytes.
  let byteCount: Int
  private let file: ImageFile
  private let document: SourceImage
  /// Whether the coded image is that of another file.
  private let isKept: Bool

  /// Parses an encoded file.
  ///
  /// - Throws: Errors of the structure of the file.
  init(_ bytes: [UInt8], parameters: GainMapEncodingParameters) throws(ImageError) {
    file = try ImageFile(parsing: ByteSource(bytes))
    document = try SourceImage.open(file)
    isKept = false
    description = ImageDescription(layout: document.image.layout, color: parameters.baseEncoding)
    byteCount = try file.codedPayloads().reduce(0) { $0 + $1.count }
  }

  /// Keeps the coded image of a file; `nil` if the format has another codec.
  ///
  /// - Throws: Errors of the structure of the file.
  init?(keeping document: SourceImage, _ format: FileFormat) throws(ImageError) {
    guard let source = document.file,
      try ifReadable(try source.stillCodec) == format.traits.gainMapCodec
    else { return nil }
    file = document.gainMaps.isEmpty ? source : try source.droppingGainMaps().file
    self.document = document
    isKept = true
    var color = document.image.color
    color.referenceWhite = ColorEncoding.defaultReferenceWhite
    description = ImageDescription(layout: document.image.layout, color: color)
    byteCount = try file.codedPayloads().reduce(0) { $0 + $1.count }
  }

  /// Makes a reader that decodes bands of rows, which are measured afterwards, only once.
  func makeReader(keeping bands: [Range<Int>]) -> RowKeeper {
    RowKeeper(document.image, keeping: bands)
  }

  /// A file with a gain map.
  struct WithMap {
    let bytes: SplicedBytes
    let file: ImageFile
    let mapByteCount: Int
    let notices: [Notice]
  }

  /// Encodes a gain map and adds it to the file.
  ///
  /// - Throws: Errors of the encoder; `.invalidArgument` if a flavor cannot represent the metadata.
  func adding(
    _ map: OutputImage, metadata: GainMapMetadata, _ options: GainMapEncoder.Options,
    encoder: EncoderOptions, alternate: FoundGainMap.AlternateImage
  ) throws(ImageError) -> WithMap {
    let layout = map.image.layout
    guard case .integer(let bits) = layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    let metadata = try GainMapMetadataSet(
      of: metadata, in: options.flavors, mapIsGray: layout.componentCount == 1,
      alternate: alternate, bits: bits,
      counts: metadata.isApple ? try map.image.sampleCounts() : nil)
    var notices = metadata.notices
    let bytes: SplicedBytes
    switch file.container {
    case .jpeg(var file) where !isKept:
      let encoded = try map.encoded(as: .jpeg, options: encoder)
      notices += try file.setGainMap(try JPEGFile(parsing: ByteSource(encoded)).primary, metadata)
      bytes = try file.serialized()
    case .heif(var file) where !isKept:
      let id = try map.addItem(to: &file, as: options.format, options: encoder)
      notices += try file.setGainMap(id, metadata)
      bytes = try file.spliced()
    default:
      let encoded = ByteSource(try map.encoded(as: options.format, options: encoder))
      let result = try file.joining(try ImageFile(parsing: encoded), metadata)
      return WithMap(
        bytes: result.bytes, file: result.file, mapByteCount: mapByteCount(result.payloads),
        notices: result.notices)
    }
    let written = try ImageFile(parsing: ByteSource(bytes), options: self.file.options)
    return WithMap(
      bytes: bytes, file: written, mapByteCount: mapByteCount(try written.codedPayloads()),
      notices: notices)
  }

  private func mapByteCount(_ payloads: [CodedPayload]) -> Int {
    payloads.filter { !$0.name.hasSuffix("'tmap'") }.reduce(0) { $0 + $1.count } - byteCount
  }
}

extension Image {
  /// Number of 8-bit samples of each code value in the first plane; `nil` for other depths.
  fileprivate func sampleCounts() throws(ImageError) -> [Int]? {
    guard layout.samples == .integer(bits: 8), case .integer(let planes) = try planes().planes
    else { return nil }
    var counts = [Int](repeating: 0, count: 256)
    let plane = planes[0]
    let samples = plane.span
    for index in samples.indices { counts[Int(min(samples[index], 255))] += 1 }
    return counts
  }
}

/// Alpha of a file with a gain map: that of the baseline image.
///
/// Source: ISO 21496-1 applies the gain to color components only.
struct BaselineAlpha {
  /// Whether the file has an alpha channel.
  let isKept: Bool
  let notices: [Notice]

  init(hdr: SourceImage, sdr: SourceImage?, _ options: GainMapEncoder.Options) {
    let images: [(name: String, SourceImage?)] = [("HDR image", hdr), ("SDR image", sdr)]
    let names = images.filter { $0.1?.image.layout.hasAlpha == true }.map(\.name)
    let isStorable = options.format.traits.holdsAlpha
    let base = options.isBaseHDR ? hdr : sdr ?? hdr
    isKept = isStorable && base.image.layout.hasAlpha
    guard !isKept, !names.isEmpty else {
      notices = []
      return
    }
    notices = [
      isStorable
        ? Notice(
          .dropped,
          "dropped: alpha channel of {images} (the baseline image has none); composed on black",
          ["images": names])
        : Notice(.createAlphaDropped, ["images": names, "format": options.format.title])
    ]
  }

  /// Returns a notice if the alpha channels of two images differ.
  static func difference(
    _ sdr: ImagePlanes, _ hdr: ImagePlanes, _ options: GainMapEncoder.Options
  ) -> [Notice] {
    guard case .integer(let ours) = sdr.separatingAlpha().alpha?.planes,
      case .integer(let theirs) = hdr.separatingAlpha().alpha?.planes
    else { return [] }
    let (plane, otherPlane) = (ours[0], theirs[0])
    let alpha = plane.span
    let otherAlpha = otherPlane.span
    let other = options.isBaseHDR ? "SDR" : "HDR"
    for index in alpha.indices
    where abs(Int(alpha[index]) - Int(otherAlpha[index])) > tolerance {
      return [
        Notice(
          .dropped,
          "not used: alpha channel of the {image} image (it differs from that of the baseline "
            + "image)",
          ["image": other])
      ]
    }
    return []
  }

  /// An 8-bit step in 16 bits, for images of other depths.
  private static let tolerance = 257
}
