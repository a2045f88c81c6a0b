// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

/// Description of a raw file, without decoding samples.
public struct RawInspection: Sendable {
  /// Levels and linearization of samples.
  public struct Levels: Hashable, Sendable {
    /// Rows of the pattern of black levels.
    public var blackRows: Int
    /// Columns of the pattern of black levels.
    public var blackColumns: Int
    /// Black levels row by row, with the samples of a pixel interleaved.
    public var black: [Double]
    /// Whether rows or columns have additional black levels.
    public var hasBlackOfRowsOrColumns: Bool
    /// White level of each sample of a pixel.
    public var white: [Double]
    /// Number of entries of the linearization table; `nil` without a table.
    public var linearizationEntries: Int?
    /// The linearization table: linear values of code values, in their unit; `nil` without a table.
    public var linearization: [Double]?
  }

  /// A semantic mask.
  public struct Matte: Hashable, Sendable {
    /// Short name, as in `EmbeddedRawImages.matteNames`: `portraiteffects`, `skin`, `hair`, `sky`,
    /// `teeth`, `glasses`; of an unknown name the part after the last colon, in lowercase.
    public var name: String
    /// Name in the file; a URN in Apple's files.
    public var type: String
    /// Columns of the matte over the active area.
    public var width: Int
    /// Rows of the matte over the active area.
    public var height: Int
  }

  /// Arrangement of the samples; `nil` if the raw image cannot be read.
  public var rawType: DNGFile.RawType?
  /// Reason for the selection of the image, for people; `nil` if the raw image cannot be read.
  public var selectionReason: String?
  /// Path of the image in the tree of directories; `nil` if LibRaw selects it.
  public var directoryPath: String?
  /// Rendering parameters; `nil` if the file cannot be developed.
  public var recipe: RenderingRecipe?
  /// Levels; `nil` if they are known only after decoding.
  public var levels: Levels?
  /// Mattes of the file.
  public var mattes: [Matte]
  /// The previews that can be extracted, largest first.
  ///
  /// In files other than DNG, JPEG images are found wherever they are.
  public var previews: [RawPreview]
  /// The library that decodes the samples; `nil` for the toolkit itself.
  public var decoder: String?
  /// Irregularities, and the reason if the file cannot be developed.
  public var notices: [Notice]
  /// Error of the raw image, if it cannot be read.
  public private(set) var readingError: ImageError?

  /// Inspects a file.
  ///
  /// - Parameter file: The file.
  /// - Returns: `nil` for a file that is not raw. Of a file whose raw image cannot be read, only
  ///   previews and the reason are known.
  /// - Throws: `.invalidArgument` if the image that the caller selected is not raw,
  ///   `.limitExceeded`, `.inputOutput`, `.cancelled`.
  public static func inspect(_ file: ImageFile) throws(ImageError) -> RawInspection? {
    let dng: DNGFile
    do throws(ImageError) {
      guard let found = try DNGFile.raw(file, decodes: false) else { return nil }
      dng = found
    } catch {
      switch error.category {
      case .malformed, .truncated, .unsupported, .missingCodec, .codecFailure: break
      default: throw error
      }
      return RawInspection(previews: try EmbeddedRawImages.previews(withoutRawImage: file), error)
    }
    var inspection = try RawInspection(dng, file.options.limits)
    if dng.decoded != nil { inspection.previews = try JPEGStreamScan.previews(in: file.source) }
    return inspection
  }

  /// A file whose raw image cannot be read.
  private init(previews: [RawPreview], _ error: ImageError) {
    (mattes, self.previews, readingError) = ([], previews, error)
    notices = [Notice(.rawNotDevelopable, ["cause": error], at: error.location)]
  }

  private init(_ dng: DNGFile, _ limits: ImageLimits) throws(ImageError) {
    rawType = dng.rawType
    selectionReason = dng.selectionReason
    notices = dng.notices
    let found = try dng.mattes(limits: limits)
    notices += found.notices
    mattes = found.found.map {
      Matte(name: $0.shortName, type: $0.name, width: $0.width, height: $0.height)
    }
    previews = try dng.previews
    decoder = dng.decoded == nil ? nil : RawSupport.cameraRawLibrary
    directoryPath = dng.decoded == nil ? dng.raw.directoryPath : nil
    do throws(ImageError) {
      // Inspection does not need samples, which may be missing.
      let parameters = try DevelopmentParameters(dng, limits: limits, salvages: true)
      recipe = RenderingRecipe(parameters)
      levels = dng.decoded == nil ? Levels(parameters.levels) : nil
      notices = parameters.notices + found.notices
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(Notice(.rawNotDevelopable, ["cause": error], at: error.location))
    }
  }
}

extension RawInspection.Levels {
  fileprivate init(_ levels: RawLevels) {
    blackRows = levels.blackPattern.rows
    blackColumns = levels.blackPattern.columns
    black = levels.black
    hasBlackOfRowsOrColumns = !levels.blackOfRows.isEmpty || !levels.blackOfColumns.isEmpty
    white = levels.white
    linearizationEntries = levels.linearization?.count
    linearization = levels.linearization?.map(Double.init)
  }
}

extension ImageFile {
  /// The contents of a file of any format, and the inspection of a raw file.
  ///
  /// - Returns: The contents, and the inspection of a raw file, `nil` for other files; contents
  ///   have a notice if the file cannot be developed.
  /// - Throws: Errors of `contents()`; of a file without readable headers and previews, the error
  ///   of its raw image; as `RawInspection.inspect(_:)` for raw files whose headers only LibRaw
  ///   reads.
  public func contentsWithRaw() throws(ImageError) -> (file: FileContents, raw: RawInspection?) {
    guard !format.traits.hasOpaqueHeaders else {
      guard let raw = try RawInspection.inspect(self) else {
        throw ImageError(.notOfFormat, ["format": "raw"])
      }
      if raw.previews.isEmpty, let error = raw.readingError { throw error }
      return (FileContents(raw, source), raw)
    }
    var contents = try contents()
    do throws(ImageError) {
      let raw = try RawInspection.inspect(self)
      for notice in raw?.notices ?? [] where !contents.notices.contains(notice) {
        contents.notices.append(notice)
      }
      return (contents, raw)
    } catch {
      guard !error.endsJob else { throw error }
      contents.notices.append(Notice(.rawNotDevelopable, ["cause": error], at: error.location))
      return (contents, nil)
    }
  }
}

extension FileContents {
  /// Contents of a camera raw file whose headers only LibRaw reads.
  fileprivate init(_ raw: RawInspection, _ source: ByteSource) {
    let area = raw.recipe?.activeArea
    // Of these formats, all but Sigma's store mosaics.
    let isMosaic = raw.rawType.map { $0 == .bayer || $0 == .mosaic } ?? true
    let image = FileImage(
      name: "raw", role: .primary,
      layout: ImageLayout(
        width: area?.width ?? 0, height: area?.height ?? 0,
        components: isMosaic ? .gray : .rgb, samples: .integer(bits: 16)),
      orientation: raw.recipe?.orientation ?? .upright,
      coding: CodecConfiguration("camera raw"),
      interpretation: isMosaic ? "Color Filter Array" : "Linear Raw")
    self.init(format: .raw, source: source, images: [image], notices: raw.notices)
  }
}

/// Raw formats that this build supports.
public enum RawSupport {
  /// Names of the libraries that decode JPEG XL in DNG files, with their versions; empty if this
  /// build does not include one.
  ///
  /// Lossy JPEG in DNG files requires libjpeg; other samples are decoded by the toolkit.
  public static var dngLibraries: [String] { CodecRegistry.current.jpegXL.map { [$0.name] } ?? [] }

  /// Name of the library that decodes camera raw files other than DNG; `nil` if this build does not
  /// include one.
  public static var cameraRawLibrary: String? { CodecRegistry.current.cameraRaw?.name }

  /// Cameras in the list of that library, which a newer one extends; empty without the library.
  public static var cameras: [String] { CodecRegistry.current.cameraRaw?.cameras ?? [] }
}
