// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// Options for opening an image file.
public struct OpeningOptions: Hashable, Sendable {
  /// Limits on sizes and counts that the file declares.
  public var limits: ImageLimits
  /// Color to assume if the file does not specify it.
  public var assumed: AssumedColor?
  /// Color that takes precedence over all declarations of the file, for wrongly tagged files.
  public var declared: DeclaredColor?
  /// The image to read from a file with several; `nil` for the primary image.
  public var image: ImageSelection?
  /// Transfer curve of Apple gain map samples, which no file specifies; sRGB by default.
  public var appleCurve: GainMapMetadata.AppleCurve
  /// Whether critical chunks of PNG files may have a wrong CRC, which other readers reject; false
  /// by default.
  public var acceptsWrongChecksums = false

  public init(
    limits: ImageLimits = ImageLimits(), assumed: AssumedColor? = nil,
    appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) {
    self.limits = limits
    self.assumed = assumed
    self.appleCurve = appleCurve
  }
}

extension OpeningOptions {
  /// The options for images other than the one that is read.
  var ofOthers: OpeningOptions {
    var options = self
    options.declared = nil
    return options
  }
}

/// Color to assume for an image whose file does not specify it.
///
/// Values that are `nil` are those that readers assume; see `Documentation/ColorPrecedence.md`.
public struct AssumedColor: Hashable, Sendable {
  /// Transfer function.
  public var transfer: TransferFunction?
  /// Color primaries.
  public var primaries: ColorPrimaries?
  /// Luminance of linear value 1.0, in cd/m², above 0, of images other than PQ and HLG.
  public var referenceWhite: Double?

  public init(
    transfer: TransferFunction? = nil, primaries: ColorPrimaries? = nil,
    referenceWhite: Double? = nil
  ) {
    self.transfer = transfer
    self.primaries = primaries
    self.referenceWhite = referenceWhite
  }
}

extension OpeningOptions {
  /// Color of an image whose file declares it wrongly.
  ///
  /// Values that are `nil` are those of the file.
  public struct DeclaredColor: Hashable, Sendable {
    /// Transfer function.
    public var transfer: TransferFunction?
    /// Color primaries.
    public var primaries: ColorPrimaries?
    /// Matrix coefficients of Y'CbCr.
    public var matrix: CICP.Matrix?
    /// Whether integer samples use all code values.
    public var isFullRange: Bool?

    public init(
      transfer: TransferFunction? = nil, primaries: ColorPrimaries? = nil,
      matrix: CICP.Matrix? = nil, isFullRange: Bool? = nil
    ) {
      self.transfer = transfer
      self.primaries = primaries
      self.matrix = matrix
      self.isFullRange = isFullRange
    }

    /// Whether primaries or transfer function are given, so that profiles do not apply.
    package var overridesColor: Bool { primaries != nil || transfer != nil }

    /// Names of the values, for notices.
    package var values: [String] {
      var values: [String] = []
      if let transfer { values.append(transfer.cicp?.name ?? "a transfer function") }
      if let primaries { values.append("\(primaries.cicp?.name ?? "other") primaries") }
      if let matrix { values.append(matrix.name) }
      if let isFullRange { values.append(isFullRange ? "full range" : "limited range") }
      return values
    }
  }

  /// One of several images of a file: a page, item, part, layer or view.
  public enum ImageSelection: Hashable, Sendable {
    /// The number that inspection reports: of an item in HEIF and AVIF, else counted from 1; if no
    /// image has it, a name that equals it.
    case number(Int)
    /// The name that inspection reports; if no image has it, a name that differs in case only.
    case name(String)
  }
}

extension OpeningOptions.ImageSelection {
  /// Returns the value with this number or name; names in other case match if none is equal.
  ///
  /// - Throws: `.invalidArgument` if none matches.
  func choose<Value>(
    from images: [(number: Int?, names: [String], value: Value)]
  ) throws(ImageError) -> Value {
    let text: String
    switch self {
    case .number(let number):
      if let found = images.first(where: { $0.number == number }) { return found.value }
      text = "\(number)"
    case .name(let name): text = name
    }
    let wanted = text.lowercased()
    let found =
      images.first { $0.names.contains(text) }
      ?? images.first { $0.names.contains { $0.lowercased() == wanted } }
    guard let found else {
      let names = images.compactMap(\.names.first)
      throw names.isEmpty
        ? ImageError(
          .invalidArgument, "the file does not have an image '{image}'; it has one image, 1",
          ["image": text])
        : ImageError(.imageUnknown, ["image": text, "images": names])
    }
    return found.value
  }
}

extension ImageError {
  /// A copy of the error, with the path and offset added if they were missing.
  package func located(in path: String, at offset: Int?) -> ImageError {
    var error = self
    if error.location.path.isEmpty { error.location.path = [path] }
    error.location.offset = error.location.offset ?? offset
    return error
  }
}

extension ImageLimits {
  /// Throws an error at a location in the file if an image of this size exceeds the limits.
  package func check(width: Int, height: Int, in path: String, at offset: Int?) throws(ImageError) {
    do throws(ImageError) {
      try check(width: width, height: height)
    } catch {
      throw error.located(in: path, at: offset)
    }
  }
}
