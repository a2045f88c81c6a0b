// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Synchronization

/// Parts of a file that only its codec can extract.
///
/// Images are encoded without loss in the format of the file.
extension ImageFile {
  /// The preview of a file whose format does not store it as an image of its own, such as the
  /// preview frame of JPEG XL.
  ///
  /// `preview()` extracts previews that are images.
  ///
  /// - Returns: The bytes of a file; `nil` without such a preview, or if this build cannot decode
  ///   the format.
  /// - Throws: `.limitExceeded` for a preview beyond the limits; errors of the codec.
  public func reencodedPreview() throws(ImageError) -> [UInt8]? {
    guard let decoder = try? format.decoder(), let preview = try decoder.preview(of: self) else {
      return nil
    }
    return try encoded(preview)
  }

  /// The depth maps and mattes that are channels of the image, as in JPEG XL.
  ///
  /// `item` of each is its index in this list. `namedAuxiliaries` are images of their own.
  ///
  /// - Returns: The channels, in file order; empty for formats that store them in other ways.
  /// - Throws: `.missingCodec` if this build cannot decode the format, `.limitExceeded` for an
  ///   image beyond the limits; errors of the headers.
  public func auxiliaryChannels() throws(ImageError) -> [NamedAuxiliary] {
    try channels().enumerated().map { index, channel in
      NamedAuxiliary(item: UInt32(clamping: index), type: channel.type)
    }
  }

  /// A channel of the image as a file.
  ///
  /// - Parameter item: `item` of one of `auxiliaryChannels()`.
  /// - Returns: The bytes of a file with a gray image.
  /// - Throws: `.malformed` if it does not exist; errors of `auxiliaryChannels()` and of the codec.
  public func reencodedChannel(ofItem item: UInt32) throws(ImageError) -> [UInt8] {
    let channels = try channels()
    guard item < channels.count else {
      throw ImageError(.missingElement, ["element": "channel \(item)"])
    }
    return try encoded(OutputImage(channels[Int(item)].image, signalsCICP: false))
  }

  /// An ICC profile that is compressed in the codestream, as in JPEG XL.
  ///
  /// - Returns: The profile; `nil` if it is missing, is stored in another way, or if this build
  ///   cannot decode the format.
  /// - Throws: Errors of the codec.
  public func decodedProfile() throws(ImageError) -> [UInt8]? {
    try (try? format.decoder())?.profile(of: self)
  }

  private func channels() throws(ImageError) -> [AuxiliaryImage] {
    guard format.traits.auxiliaryStorage == .channels else { return [] }
    return try SourceImage(decoding: self).auxiliaries
  }

  private func encoded(_ output: OutputImage) throws(ImageError) -> [UInt8] {
    try output.encoded(as: format, options: EncoderOptions(isLossless: true))
  }
}

extension ImageFile {
  /// The file that this one was transcoded from without loss; `nil` for other files.
  ///
  /// - Throws: Errors that end the whole job.
  package var original: ImageFile? {
    get throws(ImageError) { try (try? format.decoder())?.original(of: self) }
  }
}

/// Notices that arise while the samples of a file are decoded, such as warnings of a library.
package final class DecodingNotices: Sendable {
  private let entries = Mutex<[Notice]>([])

  package init() {}

  /// The notices so far, in the order in which they arose.
  package var all: [Notice] { entries.withLock { $0 } }

  /// Adds a notice, once for all items and tiles with the same condition.
  package func add(_ notice: Notice) {
    entries.withLock { entries in
      let isKnown = entries.contains {
        $0.code == notice.code && $0.parameters == notice.parameters
      }
      if !isKnown { entries.append(notice) }
    }
  }
}

extension ImagePlanes {
  /// Returns the components and the alpha plane as separate images.
  package func separatingAlpha() -> (main: ImagePlanes, alpha: ImagePlanes?) {
    guard layout.hasAlpha, case .integer(var planes) = planes else { return (self, nil) }
    var main = layout
    (main.hasAlpha, main.isAlphaPremultiplied) = (false, false)
    let alphaFormat = ImageLayout(
      width: layout.width, height: layout.height, components: .gray, samples: layout.samples)
    let alpha = planes.removeLast()
    return (
      ImagePlanes(layout: main, planes: .integer(planes)),
      ImagePlanes(layout: alphaFormat, planes: .integer([alpha]))
    )
  }
}
