// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ResolvedColor {
  /// Resolves the color of an image to decode.
  ///
  /// A profile that cannot be applied is ignored, with a notice.
  ///
  /// See `init(_:in:format:diffuseWhite:assumed:override:unusableProfile:)`.
  package init(
    decoding color: ColorDescription, in container: FileFormat, format: ImageLayout,
    diffuseWhite: Double? = nil, assumed: AssumedColor?,
    override: OpeningOptions.DeclaredColor? = nil
  ) {
    self.init(
      color, in: container, format: format, diffuseWhite: diffuseWhite, assumed: assumed,
      override: override)
    guard let appliedProfile, let reason = Self.obstacle(to: appliedProfile) else { return }
    self.init(
      color, in: container, format: format, diffuseWhite: diffuseWhite, assumed: assumed,
      override: override, unusableProfile: reason)
  }

  /// The error if a profile cannot be applied; `nil` if it can.
  private static func obstacle(to bytes: [UInt8]) -> ImageError? {
    do throws(ImageError) {
      let isGray = try ICCProfile(parsing: bytes).header.colorSpace == .gray
      _ = try CodecRegistry.colorManagement().transform(from: bytes, isGray: isGray)
      return nil
    } catch {
      return error
    }
  }
}

extension Image {
  /// Creates an image of coded samples, whose color the caller sets.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - reduced: As in `Image.init(_:reduced:rows:)`.
  ///   - rows: Starts a reader of the samples.
  package init(
    coded layout: ImageLayout,
    reduced: @escaping @Sendable (_ factor: Int) -> Image? = { _ in nil },
    rows: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    self.init(ImageDescription(layout: layout, color: .data), reduced: reduced, rows: rows)
  }

  /// Creates an image with resolved color from its coded samples.
  ///
  /// If a profile has to be applied, the image is linear BT.2020 in floating point. Samples of a
  /// rejected color cannot be read.
  package init(
    coded: Image, resolved: ResolvedColor, chromaLocation: ChromaLocation = .left,
    light: LightMetadata = LightMetadata(), orientation: Orientation = .upright
  ) {
    let open = { @Sendable () throws(ImageError) -> any RowReader in
      if let refusal = resolved.refusal { throw refusal }
      return try coded.makeReader()
    }
    let reduced = { @Sendable (factor: Int) in
      coded.reduced(by: factor).map { Image(coded: $0, resolved: resolved) }
    }
    if let profile = resolved.appliedProfile {
      var signal = resolved.signal
      signal.chromaLocation = chromaLocation
      self.init(
        ImageDescription(
          layout: ICCRowReader.layout(for: coded.layout), color: resolved.encoding, light: light,
          orientation: orientation), reduced: reduced
      ) { [signal] () throws(ImageError) in
        try ICCRowReader(try open(), profile: profile, signal: signal)
      }
      return
    }
    var color = resolved.encoding
    color.chromaLocation = chromaLocation
    self.init(
      ImageDescription(layout: coded.layout, color: color, light: light, orientation: orientation),
      reduced: reduced, rows: open)
  }
}
