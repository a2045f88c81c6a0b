public import GainMap
public import HDRCore
internal import ImageContainers

extension GainMapRecord {
  /// What a file says about one of its maps, with the words themselves; `nil` if nothing of that can
  /// be read.
  ///
  /// - Parameters:
  ///   - found: The map.
  ///   - file: The file it is in.
  /// - Throws: What is wrong with the map's XMP.
  public init?(_ found: FoundGainMap, in file: ContainerFile) throws(ImageError) {
    self.init(found)
    xmp = try file.xmp(of: found)?.bytes
    if ([reading] + others).contains(where: { $0.flavor == .apple }) {
      makerNote = file.appleMakerNote
    }
  }

  /// What a file says about the gain map that it holds, or that its picture is.
  ///
  /// - Parameters:
  ///   - file: A file with a gain map, or a JPEG map that was taken out of one.
  ///   - appleCurve: How samples of Apple's maps relate to gain, which no file says.
  /// - Throws: `.unsuitable` if it says nothing of the kind.
  public init(
    of file: ContainerFile, appleCurve: AppleGainMap.Curve = .srgb
  ) throws(ImageError) {
    var found = try file.gainMaps(appleCurve: appleCurve).applicable
    if found == nil, case .jpeg(let file) = file {
      found = FoundGainMap(pictureOf: file, appleCurve: appleCurve)
    }
    guard let found, let record = try GainMapRecord(found, in: file) else {
      throw ImageError(.gainMapMetadataMissing)
    }
    self = record
  }
}
