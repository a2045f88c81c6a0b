public import HDRCore
internal import ImageCodecs
internal import ImageContainers
public import ImageFiles

/// What a raw file says, found out without decoding its samples.
public struct RawInspection: Sendable {
  /// What makes linear light of samples.
  public struct Levels: Hashable, Sendable {
    /// Rows and columns of the pattern of black levels.
    public var blackRows: Int
    /// Columns of the pattern of black levels.
    public var blackColumns: Int
    /// Row after row, the samples of a pixel side by side.
    public var black: [Double]
    /// Whether rows or columns add something of their own to black.
    public var hasBlackOfRowsOrColumns: Bool
    /// One for each sample of a pixel.
    public var white: [Double]
    /// Entries of the table that makes codes linear; `nil` if they are.
    public var linearizationEntries: Int?
    /// Linear values of codes, that table.
    public var linearization: [Double]?
  }

  /// A semantic mask.
  public struct Matte: Hashable, Sendable {
    /// Name of the matte.
    public var name: String
    /// As the file calls it.
    public var type: String
    /// Columns of the matte.
    public var width: Int
    /// Rows of the matte.
    public var height: Int
  }

  /// What kind of light the samples hold.
  public var rawType: DNGFile.RawType
  /// Why this picture of the file is developed.
  public var selectionReason: String
  /// The name of the picture among those of the file; `nil` where LibRaw chooses.
  public var directoryPath: String?
  /// Size of the picture as it is developed, not turned; `nil` if it cannot be developed.
  public var recipe: RenderingRecipe?
  /// `nil` where they come with the samples.
  public var levels: Levels?
  /// Mattes of the file.
  public var mattes: [Matte]
  /// The largest preview of DNG that can be taken out as it is.
  public var preview: DNGFile.Preview?
  /// The library that decodes the samples; `nil` where this toolkit does.
  public var decoder: String?
  /// What is odd, and why the picture cannot be developed.
  public var notices: [Notice]

  /// Looks into a file.
  ///
  /// - Parameter file: The file.
  /// - Returns: `nil` for a file that is not raw.
  /// - Throws: What is wrong with a raw one.
  public static func inspect(_ file: ImageFile) throws(ImageError) -> RawInspection? {
    try DNGFile.raw(file, decodes: false).map { RawInspection($0, file.options.limits) }
  }

  private init(_ dng: DNGFile, _ limits: ImageLimits) {
    rawType = dng.rawType
    selectionReason = dng.selectionReason
    notices = dng.notices
    let found = dng.mattes(limits: limits)
    notices += found.notices
    mattes = found.found.map {
      Matte(name: $0.shortName, type: $0.name, width: $0.width, height: $0.height)
    }
    preview = dng.preview
    decoder = dng.decoded == nil ? nil : RawSupport.cameraRawLibrary
    directoryPath = dng.decoded == nil ? dng.raw.directoryPath : nil
    do throws(ImageError) {
      // Samples may be missing: the tags tell the same.
      let parameters = try DevelopmentParameters(dng, limits: limits, salvages: true)
      recipe = RenderingRecipe(parameters)
      levels = dng.decoded == nil ? Levels(parameters.levels) : nil
      notices = parameters.notices + found.notices
    } catch {
      notices.append(
        Notice(.rawNotDevelopable, ["cause": error], at: error.location))
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
