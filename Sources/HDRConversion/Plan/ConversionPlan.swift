// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageFiles
internal import RAWDevelop

/// The treatment of each image and each metadata item of an input, decided before samples are
/// decoded.
///
/// ```swift
/// let plan = try ImageFile(path: "IMG_0001.HEIC").plan(for: ConversionRequest(format: .jpeg))
/// for step in plan.steps { print(step.item, step.action, step.reason) }
/// ```
public struct ConversionPlan: Sendable {
  /// The treatment of an image or a metadata item.
  public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
    /// The coded bytes or the metadata are those of the input.
    case copy
    /// The samples are coded in another way, without loss.
    case transcode
    /// The samples are decoded and encoded.
    case reencode = "re-encode"
    /// The image is converted to another color, size or dynamic range, and encoded.
    case render
    /// It is made of other images, or measured.
    case compute
    /// The output does not contain it.
    case drop
  }

  /// The decision about one image or metadata item.
  public struct Step: Codable, Hashable, Sendable {
    /// Name of the image or the metadata item.
    public let item: String
    /// Its treatment.
    public let action: Action
    /// The reason, in English.
    public let reason: String

    private enum CodingKeys: String, CodingKey {
      case item = "name"
      case action = "treatment"
      case reason
    }
  }

  /// The request.
  public let request: ConversionRequest
  /// Format of the output.
  public let format: FileFormat
  /// The decisions, images first.
  public let steps: [Step]
  /// Notices about fields without an effect.
  public internal(set) var notices: [Notice]
  /// Whether light levels are measured that the output does not declare, as a report of a rendition requires.
  package var measuresAllLight: Bool
  /// Contents of input and output.
  package let contents: (input: InputContent, output: OutputContent)

  let source: ConversionSource
  let work: Work
  /// Other work if this one turns out to be impossible.
  let alternative: Alternative?

  /// The work of a plan.
  enum Work: Sendable {
    /// One image is decoded, transformed and encoded, with a gain map of its file or of another one.
    case convert(ConversionOptions, RawDevelopment, SeparateGainMap? = nil)
    /// A gain map is computed, with an SDR image and its name; `nil` to compute the SDR image.
    case create(GainMapEncoder.Options, standard: (source: ConversionSource, name: String)?)
    /// Gain map and baseline image are copied or encoded in another format.
    case transcode(GainMapTranscoder.Options)
    /// The alternate image becomes the baseline image.
    case swap(GainMapTranscoder.Options)
    /// A gain map from another file is added; `nil` keeps the coded images.
    case join(SeparateGainMap, GainMapTranscoder.Options?)
    /// Metadata of a file change, whose coded images are kept.
    case edit(MetadataChanges)
    /// The coded images are kept, or stay in their format.
    case sameFormat(Change, dropsGainMap: Bool)
  }

  /// The treatment of images that stay in their format.
  enum Change: Sendable {
    case copy
    /// The gain map metadata are written in these flavors.
    case describe(Set<GainMapFlavor>)
    /// Samples are rotated without loss, and the gain map metadata written in these flavors.
    case rotate(Orientation, Set<GainMapFlavor>?)
    /// JPEG is coded as JPEG XL without loss at a speed, or decoded to the same bytes.
    case transcode(speed: Int)
    /// Image and gain map are cropped, resized or encoded again.
    case edit(GainMapTranscoder.Options)

    /// Whether a gain map is copied as it is.
    var copiesGainMap: Bool {
      switch self {
      case .copy, .rotate(_, nil): true
      case .rotate, .describe, .transcode, .edit: false
      }
    }
  }

  /// Work that is done if other work fails for a cause.
  struct Alternative: Sendable {
    let cause: ErrorCode
    let source: ConversionSource
    let work: Work
    /// Notices that explain it, for the error.
    let notices: @Sendable (ImageError) -> [Notice]
  }
}

extension ImageFile {
  /// Opens a file: JPEG, HEIF, AVIF, PNG, JPEG XL, JPEG XR, TIFF, OpenEXR, Radiance HDR, DNG or
  /// camera raw.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - options: Limits, and values assumed for information missing from the file.
  /// - Throws: `.missingInput`, `.inputOutput`; as `init(parsing:options:)`.
  public init(path: String, options: OpeningOptions = OpeningOptions()) throws(ImageError) {
    do throws(ImageError) {
      try self.init(parsing: try ByteSource(path: path), options: options)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Decides the treatment of each image and each metadata item; no sample is decoded.
  ///
  /// - Parameters:
  ///   - request: The conversion; without a format, the output has that of this file.
  ///   - open: Opens another file that the request names; by default the file at the path.
  /// - Returns: The plan.
  /// - Throws: `.invalidArgument` with the name of the field for fields that are out of range,
  ///   contradict each other or cannot have an effect; `.unsuitable` for a file that lacks the
  ///   requested content, `.unsupported` for a format that is not written; errors of the structure
  ///   of the files.
  public func plan(
    for request: ConversionRequest,
    open: @escaping (String) throws -> ByteSource = ByteSource.init(path:)
  ) throws(ImageError) -> ConversionPlan {
    try ConversionPlan(request, .file(self), open)
  }
}

extension SourceImage {
  /// Decides how an image in memory is written.
  ///
  /// - Parameters:
  ///   - request: The conversion, with the format, which is required.
  ///   - standard: The SDR image in memory, of the same size, if a gain map is computed; `nil` to
  ///     compute it as well.
  ///   - isHDR: Whether the image extends above reference white; `nil` to decide by its encoding.
  ///   - open: Opens another file that the request names; by default the file at the path.
  /// - Returns: The plan.
  /// - Throws: As `ImageFile.plan(for:open:)`.
  public func plan(
    for request: ConversionRequest, standard: SourceImage? = nil, isHDR: Bool? = nil,
    open: @escaping (String) throws -> ByteSource = ByteSource.init(path:)
  ) throws(ImageError) -> ConversionPlan {
    try ConversionPlan(
      request, .image(self, isHDR: isHDR ?? isHighDynamicRange),
      standard: standard.map { .image($0, isHDR: false) }, open)
  }
}

extension ConversionPlan {
  /// Decides what becomes of a source.
  ///
  /// - Parameters:
  ///   - request: The conversion.
  ///   - source: The image.
  ///   - standard: The SDR image, if it is not a file that the request names.
  ///   - open: Opens another file that the request names.
  /// - Throws: As `ImageFile.plan(for:open:)`.
  package init(
    _ request: ConversionRequest, _ source: ConversionSource, standard: ConversionSource? = nil,
    _ open: @escaping (String) throws -> ByteSource = ByteSource.init(path:)
  ) throws(ImageError) {
    self = try Execution.HeldMemory().hold { () throws(ImageError) in
      var planner = try ConversionPlanner(request, source, standard: standard) {
        path throws(ImageError) in
        try callingProgram { () throws(any Error) in try open(path) }
      }
      return try planner.plan()
    }
  }
}
