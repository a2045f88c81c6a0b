internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// A base picture in a file of its own, as readers will decode it.
struct EncodedBaseline {
  /// Layout and meaning of what decoding yields.
  let coding: ImageDescription
  /// Coded samples, with those of alpha and mattes.
  let byteCount: Int
  private let file: ImageFile
  private let document: SourceImage

  /// Codes a picture.
  ///
  /// - Throws: What the encoder says.
  init(
    _ output: OutputImage, coding: GainMapEncodingParameters, _ options: GainMapEncoder.Options,
    encoder: EncoderOptions
  ) throws(ImageError) {
    let source = ByteSource(try output.encoded(as: options.format, options: encoder))
    file = try ImageFile(parsing: source)
    document = try SourceImage.open(file)
    self.coding = ImageDescription(
      layout: document.image.layout, color: coding.baseEncoding)
    byteCount = try file.codedPayloads().reduce(0) { $0 + $1.count }
  }

  func makeReader() throws(ImageError) -> any RowReader { try document.image.makeReader() }

  /// A file with a map.
  struct WithMap {
    let bytes: SplicedBytes
    let file: ImageFile
    let mapByteCount: Int
    let notices: [Notice]
  }

  /// Codes a map and puts it beside the base.
  ///
  /// - Throws: What the encoder says; `.invalidArgument` where a flavor cannot describe the map.
  func adding(
    _ map: ImagePlanes, meaning: GainMapMeaning, _ options: GainMapEncoder.Options,
    encoder: EncoderOptions, alternate: AlternateRendition
  ) throws(ImageError) -> WithMap {
    guard case .integer(let bits) = map.layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    let description = try GainMapDescription(
      of: meaning, in: options.flavors, mapIsGray: map.layout.componentCount == 1,
      alternate: alternate, bits: bits)
    let output = GainMapEncodingParameters.output(map, format: options.format)
    var notices = description.notices
    let bytes: SplicedBytes
    switch file.container {
    case .jpeg(var file):
      let coded = try output.encoded(as: .jpeg, options: encoder)
      notices += try file.setGainMap(
        try JPEGFile(parsing: ByteSource(coded)).primary, description)
      bytes = try file.serialized()
    case .heif(var file):
      let id = try output.addItem(to: &file, as: options.format, options: encoder)
      notices += try file.setGainMap(id, description)
      bytes = try file.spliced()
    default: preconditionFailure("only files with gain maps are made")
    }
    let written = try ImageFile(parsing: ByteSource(bytes), options: self.file.options)
    let payloads = try written.codedPayloads()
    let total = payloads.filter { !$0.name.hasSuffix("'tmap'") }.reduce(0) { $0 + $1.count }
    return WithMap(bytes: bytes, file: written, mapByteCount: total - byteCount, notices: notices)
  }
}
