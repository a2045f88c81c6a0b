public import HDRCore
public import ImageContainers

extension GainMapRecord {
  /// What a file says about the gain map that it holds, or that its picture is.
  ///
  /// - Parameters:
  ///   - file: A file with a gain map, or a JPEG map that was taken out of one.
  ///   - appleCurve: How samples of Apple's maps relate to gain, which no file says.
  /// - Throws: `.invalidArgument` if it says nothing of the kind.
  public init(
    of file: ContainerFile, appleCurve: AppleGainMap.Curve = .srgb
  ) throws(ImageError) {
    var found = try file.gainMaps(appleCurve: appleCurve).applicable
    if found == nil, case .jpeg(let file) = file {
      found = FoundGainMap(pictureOf: file, appleCurve: appleCurve)
    }
    guard let found, let record = GainMapRecord(found) else {
      throw ImageError(
        .invalidArgument, "nothing says what the samples of the gain map mean",
        remedy: "--metadata M.json, or a file that holds a gain map")
    }
    self = record
  }
}
