// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

/// Transcodes JPEG files to JPEG XL without loss, and back to the same bytes.
package struct JPEGTranscoder: Sendable {
  /// Speed of the encoder, 0...10.
  package var speed: Int

  /// Creates a transcoder.
  package init(speed: Int) { self.speed = speed }

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
    let (old, new) = (try result.file.summary().orientation, try file.summary().orientation)
    if old != new {
      result.add(
        [Notice(.transcodeOrientation, ["file": new.rawValue, "original": old.rawValue])],
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
  package static func original(of file: ImageFile) -> ImageFile? {
    guard let original = file.original,
      (try? original.summary())?.orientation == (try? file.summary())?.orientation
    else { return nil }
    let (old, new) = ((try? original.gainMaps())?.applicable, (try? file.gainMaps())?.applicable)
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
    let base = try file.parsing(try CodecRegistry.jpegXL().encoded(original, speed: speed))
    let inventory = try file.gainMaps()
    guard let found = inventory.applicable, let detached = try file.detached(found) else {
      return try file.transcoded(as: base)
    }
    let map = try CodecRegistry.jpegXL().encoded(
      try file.standalone(found.place).allBytes(), speed: speed)
    let joined = try base.joining(
      try file.parsing(map), detached, in: [.iso], originals: file.wholePayloads())
    let rebuilt = try CodecRegistry.jpegXL().reconstructed(
      try joined.bytes.allBytes(), limit: original.count)
    guard rebuilt == original else { throw ImageError(.transcodeDiffers) }
    var result = try file.transcoded(as: joined.file)
    result.add(joined.notices, worstError: joined.worstError)
    return result
  }
}

extension ImageFile {
  fileprivate func parsing(_ bytes: [UInt8]) throws(ImageError) -> ImageFile {
    try ImageFile(parsing: ByteSource(bytes), options: options)
  }
}
