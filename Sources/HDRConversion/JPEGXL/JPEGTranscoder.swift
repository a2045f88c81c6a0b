// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

/// Transcodes JPEG files to JPEG XL without loss, and back to the same bytes.
package struct JPEGTranscoder: Sendable {
  /// Speed of the encoder, 0...10.
  package var speed: Int
  /// Whether any program can restore the whole JPEG file, whose gain map is then stored twice.
  package var isForAnyProgram: Bool

  /// Creates a transcoder.
  package init(speed: Int, isForAnyProgram: Bool = false) {
    (self.speed, self.isForAnyProgram) = (speed, isForAnyProgram)
  }

  /// Transcodes a file.
  ///
  /// The gain map of a JPEG file is transcoded as well. The whole file, with its gain map and all
  /// data after the images, can be reconstructed from the JPEG XL file, which is verified.
  ///
  /// - Parameters:
  ///   - file: A JPEG file, or a JPEG XL file that was made from one.
  ///   - format: The other format.
  /// - Returns: The new file.
  /// - Throws: `.unsuitable` for a JPEG XL file that was not made from JPEG, `.invalidArgument` for
  ///   other formats, `.unsupported` for a JPEG file that cannot be transcoded; errors of codecs.
  package func transcoded(
    _ file: ImageFile, to format: FileFormat
  ) throws(ImageError) -> RewrittenFile {
    try Self.check(file.format, to: format)
    if case .jpeg = file.container { return try jpegXL(of: file) }
    let bytes = try CodecRegistry.jpegXL().reconstructed(
      try file.source.allBytes(), limit: file.options.limits.memory)
    var result = try file.transcoded(as: try file.parsing(bytes))
    let (old, new) = (
      try result.file.metadataSummary().orientation, try file.metadataSummary().orientation
    )
    if old != new {
      result.add(
        [
          Notice(
            .irregular, "the JPEG file has orientation {original}, the JPEG XL file {file}",
            ["file": new.rawValue, "original": old.rawValue])
        ],
        worstError: 0)
    }
    return result
  }

  /// Checks whether files of a format can be transcoded to another one.
  ///
  /// - Throws: `.invalidArgument` if they cannot.
  package static func check(_ source: FileFormat, to target: FileFormat) throws(ImageError) {
    guard source.traits.losslessCounterpart == target else {
      throw ImageError(.transcodeFormats, ["source": source.title, "target": target.title])
    }
  }

  /// Returns the JPEG file that a JPEG XL file was transcoded from.
  ///
  /// - Parameter file: Any file.
  /// - Returns: The JPEG file; `nil` for a file that was not transcoded from JPEG or whose gain map
  ///   or orientation is another one now.
  /// - Throws: Errors that end the whole job.
  package static func original(of file: ImageFile) throws(ImageError) -> ImageFile? {
    guard let original = try file.original else { return nil }
    let orientation = try ifReadable(try original.metadataSummary().orientation)
    guard try ifReadable(try file.metadataSummary().orientation) == orientation else { return nil }
    let old = try ifReadable(try original.gainMaps().applicable)
    let new = try ifReadable(try file.gainMaps().applicable)
    switch (old, new) {
    case (nil, nil): return original
    case (let old?, let new?):
      guard old.layout == new.layout, let before = old.metadata, let after = new.metadata,
        before.disagreements(with: after).isEmpty
      else { return nil }
      return original
    default: return nil
    }
  }

  private func jpegXL(of file: ImageFile) throws(ImageError) -> RewrittenFile {
    let original = try file.source.allBytes()
    guard let found = try file.gainMaps().applicable, let detached = try file.detached(found) else {
      return try file.transcoded(as: try file.parsing(try encoded(original)))
    }
    if !isForAnyProgram, let parts = JPEGParts(file, found),
      let compact = try ifReadable(try jpegXL(of: file, parts, detached)),
      try Self.isRestored(original, from: compact.bytes)
    {
      return compact
    }
    let map = try encoded(try file.standaloneFile(ofGainMapAt: found.location).allBytes())
    let joined = try file.parsing(try encoded(original)).joining(
      try file.parsing(map), detached, in: [.iso], originals: file.wholePayloads())
    guard try Self.isRestored(original, from: joined.bytes) else {
      throw ImageError(.transcodeDiffers)
    }
    return try rewritten(file, joined.file, joined)
  }

  /// The file whose images are transcoded one by one, so that each is stored once.
  private func jpegXL(
    of file: ImageFile, _ parts: JPEGParts, _ detached: FoundGainMap
  ) throws(ImageError) -> RewrittenFile {
    let base = try file.parsing(try encoded(try file.source.bytes(in: parts.first)))
    let map = try file.parsing(try encoded(try file.source.bytes(in: parts.map)))
    let joined = try base.joining(map, detached, in: [.iso], originals: file.wholePayloads())
    guard case .jpegXL(let image) = joined.file.container,
      case .jpegXL(let gainMap) = map.container,
      let whole = try JPEGXLJPEGRest(
        before: try file.source.bytes(in: parts.first.upperBound..<parts.map.lowerBound),
        gainMap: gainMap,
        after: try file.source.bytes(in: parts.map.upperBound..<file.source.count)
      ).added(to: image)
    else { throw ImageError(.transcodeDiffers) }
    return try rewritten(file, try file.parsing(try whole.allBytes()), joined)
  }

  private func encoded(_ jpeg: [UInt8]) throws(ImageError) -> [UInt8] {
    try CodecRegistry.jpegXL().encoded(jpeg, speed: speed)
  }

  private func rewritten(
    _ file: ImageFile, _ new: ImageFile, _ joined: RewrittenFile
  ) throws(ImageError) -> RewrittenFile {
    var result = try file.transcoded(as: new)
    result.add(joined.notices, worstError: joined.worstError)
    return result
  }

  private static func isRestored(
    _ original: [UInt8], from file: SplicedBytes
  ) throws(ImageError) -> Bool {
    try CodecRegistry.jpegXL().reconstructed(try file.allBytes(), limit: original.count) == original
  }
}

/// Places of the first image of a JPEG file, and of its gain map.
private struct JPEGParts {
  let first: Range<Int>
  let map: Range<Int>

  /// The places; `nil` if the gain map does not follow the first image.
  init?(_ file: ImageFile, _ found: FoundGainMap) {
    guard case .jpeg(let jpeg) = file.container, case .image(let index) = found.location,
      jpeg.images.indices.contains(index), index > 0, let first = jpeg.images[0].stored,
      let map = jpeg.images[index].stored, first.lowerBound == 0,
      first.upperBound <= map.lowerBound
    else { return nil }
    (self.first, self.map) = (first, map)
  }
}

extension ImageFile {
  fileprivate func parsing(_ bytes: [UInt8]) throws(ImageError) -> ImageFile {
    try ImageFile(parsing: ByteSource(bytes), options: options)
  }
}
