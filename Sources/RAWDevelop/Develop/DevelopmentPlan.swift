internal import Foundation
internal import HDRCore
internal import ImageContainers

/// What a DNG file says about the way from its samples to light, read and checked.
struct DevelopmentPlan: Sendable {
  let layout: RawLayout
  let levels: RawLevels
  /// `nil` for pictures that are not mosaics.
  let bayer: ColorFilterArray.Bayer?
  /// The picture within the active area.
  let crop: RawArea
  let orientation: Orientation
  /// `nil` for gray pictures.
  let profile: CameraProfile?
  /// The white that the camera chose; `nil` for gray pictures.
  let asShotWhite: CameraWhite?
  /// In stops: what the maker adds for the picture to look as it should.
  let baselineExposure: Double
  /// The three lists of corrections.
  let opcodes: [OpcodeList]
  private(set) var notices: [Notice]

  init(_ dng: DNGFile, limits: ImageLimits) throws(ImageError) {
    notices = dng.notices
    layout = try RawLayout(of: dng.raw, version: dng.version, limits: limits)
    levels = try RawLevels(of: dng.raw, layout)
    bayer = try Self.bayer(dng)
    crop = try Self.crop(dng.raw.directory, within: levels.activeArea, &notices)
    orientation =
      try dng.main.integer(.orientation).flatMap(Orientation.init(rawValue:)) ?? .upright
    if layout.planes == 1, bayer == nil {
      (profile, asShotWhite) = (nil, nil)
    } else {
      guard let profile = try CameraProfile(dng.main) else {
        throw dng.main.malformed(.colorMatrix[0], "no color matrix")
      }
      self.profile = profile
      asShotWhite = try AsShotWhite.read(dng.main, profile, &notices)
    }
    var lists: [OpcodeList] = []
    for list in 1...3 { lists.append(try OpcodeList(dng.raw.directory, list: list)) }
    opcodes = lists
    notices += lists.flatMap(\.notices)
    baselineExposure =
      try Self.stops(dng.main, .baselineExposure) + Self.stops(dng.main, .baselineExposureOffset)
  }

  private static func bayer(_ dng: DNGFile) throws(ImageError) -> ColorFilterArray.Bayer? {
    guard dng.raw.photometric == .colorFilterArray else { return nil }
    let directory = dng.raw.directory
    guard let bayer = try ColorFilterArray(directory).bayer else {
      throw directory.error(
        .unsupported, .cfaPattern, "a mosaic that is not red, green and blue in two by two")
    }
    return bayer
  }

  /// Source: DNG 1.7.1, DefaultCropOrigin, DefaultCropSize and DefaultScale.
  private static func crop(
    _ directory: DNGDirectory, within area: RawArea, _ notices: inout [Notice]
  ) throws(ImageError) -> RawArea {
    let origin = try directory.numbers(.defaultCropOrigin, atMost: 2) ?? [0, 0]
    let size =
      try directory.numbers(.defaultCropSize, atMost: 2)
      ?? [Double(area.width), Double(area.height)]
    let values = origin + size
    guard origin.count == 2, size.count == 2,
      values.allSatisfy({ (0...Double(Int32.max)).contains($0) })
    else { throw directory.malformed(.defaultCropSize, "a crop of \(size) at \(origin)") }
    let (x, y) = (Int(origin[0].rounded()), Int(origin[1].rounded()))
    let crop = RawArea(
      x: x, y: y, width: min(Int(size[0].rounded()), area.width - x),
      height: min(Int(size[1].rounded()), area.height - y))
    guard crop.width > 0, crop.height > 0 else {
      throw directory.malformed(
        .defaultCropSize,
        "a crop of \(size) at \(origin) in an area of \(area.width)x\(area.height)")
    }
    if let scale = try directory.numbers(.defaultScale, atMost: 2), Set(scale).count > 1 {
      notices.append(
        Notice(
          .irregular, "the pixels are not square: they should be drawn \(scale[0]):\(scale[1])",
          at: .init(path: directory.path + ["tag \(TIFFTag.defaultScale.rawValue)"])))
    }
    return crop
  }

  private static func stops(
    _ directory: DNGDirectory, _ tag: TIFFTag
  ) throws(ImageError) -> Double {
    let stops = try directory.numbers(tag, atMost: 1)?.first ?? 0
    guard abs(stops) <= 32 else { throw directory.malformed(tag, "\(stops) stops") }
    return stops
  }
}
