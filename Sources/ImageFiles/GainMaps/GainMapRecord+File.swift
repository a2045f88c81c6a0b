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
  public init?(_ found: FoundGainMap, in file: ImageFile) throws(ImageError) {
    self.init(found)
    xmp = try file.xmp(of: found)?.bytes
    if ([reading] + others).contains(where: { $0.flavor == .apple }) {
      makerNote = file.appleMakerNote
    }
  }

  /// What a file says about the gain map that it holds, or that its picture is.
  ///
  /// - Parameter file: A file with a gain map, or a JPEG map that was taken out of one.
  /// - Throws: `.unsuitable` if it says nothing of the kind.
  public init(of file: ImageFile) throws(ImageError) {
    var found = try file.gainMaps().applicable
    if found == nil, case .jpeg(let jpeg) = file.container {
      found = FoundGainMap(pictureOf: jpeg, appleCurve: file.options.appleCurve)
    }
    guard let found, let record = try GainMapRecord(found, in: file) else {
      throw ImageError(.gainMapMetadataMissing)
    }
    self = record
  }
}
