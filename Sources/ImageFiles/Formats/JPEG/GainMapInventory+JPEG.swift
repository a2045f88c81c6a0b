// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

extension GainMapInventory {
  /// Finds the gain maps of a JPEG file: images after the first that contain gain map metadata.
  ///
  /// Directories of images are only compared with the images, since editors leave outdated ones;
  /// they decide which flavors count as announced.
  ///
  /// - Parameters:
  ///   - file: The file; gain maps are identified by their index in `images`.
  ///   - appleCurve: Transfer curve of Apple gain map samples, which no file specifies; sRGB by
  ///     default.
  /// - Throws: Errors that end the whole job.
  package init(
    of file: JPEGFile, appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) throws(ImageError) {
    var finder = try JPEGGainMapFinder(file: file, appleCurve: appleCurve)
    let maps = try finder.find()
    self.init(maps, notices: finder.notices)
  }
}

extension FoundGainMap {
  /// Creates a gain map from the first image of a JPEG file; `nil` if it does not have gain map
  /// metadata.
  ///
  /// - Parameters:
  ///   - file: A gain map extracted into a separate file.
  ///   - appleCurve: Transfer curve of Apple gain map samples, which no file specifies; sRGB by
  ///     default.
  /// - Throws: Errors that end the whole job.
  package init?(
    imageOf file: JPEGFile, appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) throws(ImageError) {
    var finder = try JPEGGainMapFinder(file: file, appleCurve: appleCurve)
    guard let map = try finder.map(file.primary, 0), map.metadata != nil else { return nil }
    self = map
  }
}

extension FoundGainMap {
  /// Whether the MPF directory of a JPEG file has an entry for the gain map.
  ///
  /// - Throws: Errors that end the whole job.
  package func isListed(in file: JPEGFile) throws(ImageError) -> Bool {
    guard case .image(let index) = location else { return true }
    return try file.listsInMultiPicture(index)
  }
}

/// The directories of a JPEG file by which other readers find an image.
package struct JPEGImageDirectories: Sendable {
  /// Whether MPF has its offset.
  package let isInMPF: Bool
  /// Whether the container directory of XMP has its place and length as those of a gain map.
  package let isInContainer: Bool

  /// - Throws: Errors that end the whole job.
  package init(ofImage index: Int, in file: JPEGFile) throws(ImageError) {
    guard index > 0, file.images.indices.contains(index), let range = file.images[index].stored
    else {
      (isInMPF, isInContainer) = (false, false)
      return
    }
    let directory = try ifReadable(try file.primary.multiPicture())
    isInMPF =
      directory.map { directory in
        directory.format.entries.dropFirst().contains {
          directory.header + Int($0.offset) == range.lowerBound
        }
      } ?? false
    let items = try file.primary.readableXMP()?.containerItems ?? []
    isInContainer = file.containerItems.contains { index, place in
      place == range && items.indices.contains(index) && items[index].semantic == "GainMap"
    }
  }
}

extension FoundGainMap.Layout {
  init(_ frame: JPEGFrame) {
    self.init(
      width: frame.width, height: frame.height, componentCount: frame.components.count,
      bits: frame.precision)
  }
}

private struct JPEGGainMapFinder {
  private let file: JPEGFile
  let images: [JPEGImage]
  let appleCurve: GainMapMetadata.AppleCurve
  private let base: BaseHints
  private let makerNote: AppleMakerNote?
  private(set) var notices: [Notice] = []

  init(file: JPEGFile, appleCurve: GainMapMetadata.AppleCurve) throws(ImageError) {
    self.file = file
    images = file.images
    self.appleCurve = appleCurve
    base = try BaseHints(file.primary)
    makerNote = try AppleMakerNote(of: file)
  }

  mutating func find() throws(ImageError) -> [FoundGainMap] {
    var maps: [FoundGainMap] = []
    for (index, image) in images.enumerated().dropFirst() {
      guard var map = try map(image, index) else { continue }
      map.announcedFlavors = try announcedFlavors(ofImage: index)
      maps.append(map)
    }
    noteHints(maps)
    return maps
  }

  /// The flavors whose metadata other readers use: announced by the first image, in an image that
  /// they find.
  ///
  /// Source: Skia, SkJpegCodec, which finds gain maps by MPF, then by the container directory;
  /// libultrahdr, which requires either version.
  private func announcedFlavors(ofImage index: Int) throws(ImageError) -> Set<GainMapFlavor> {
    let directories = try JPEGImageDirectories(ofImage: index, in: file)
    var flavors: Set<GainMapFlavor> = []
    if directories.isInMPF {
      flavors.insert(.apple)
      if base.hasISOVersion { flavors.insert(.iso) }
    }
    if base.hasXMPVersion, directories.isInMPF || directories.isInContainer { flavors.insert(.xmp) }
    return flavors
  }

  /// An image with its gain map metadata; `nil` if it does not have any, as previews do not.
  mutating func map(_ image: JPEGImage, _ index: Int) throws(ImageError) -> FoundGainMap? {
    let place = FoundGainMap.Location.image(index)
    var carriers: [FoundGainMap.Carrier] = []
    if let segment = image.segments(.isoGainMap).first(where: {
      !ISO21496Payload.isVersionOnly($0.body)
    }) {
      carriers.append(try isoCarrier(segment, place.errorLocation))
    }
    var xmpLocation = place.errorLocation
    xmpLocation.path.append("XMP")
    xmpLocation.offset = image.segments(.xmp).first?.stored?.lowerBound
    if let packet = try image.readableXMP() {
      let packets = GainMapPackets([packet], location: xmpLocation)
      carriers += try packets.carriers(
        appleIsExpected: false, makerNote: makerNote, curve: appleCurve, notices: &notices)
    }
    guard !carriers.isEmpty else { return nil }
    let hasISO = carriers.contains { $0.flavor == .iso }
    // In Ultra HDR without ISO 21496-1, the ICC profile of the gain map does not apply.
    let profile = hasISO ? image.profile(notices: &notices) : nil
    return FoundGainMap(
      location: place,
      layout: FoundGainMap.Layout(image.frame),
      carriers: carriers, alternate: FoundGainMap.AlternateImage(icc: profile))
  }

  private mutating func isoCarrier(
    _ segment: JPEGSegment, _ place: ImageError.Location
  ) throws(ImageError) -> FoundGainMap.Carrier {
    var location = place
    location.path.append("APP2")
    location.offset = segment.stored?.lowerBound
    var found: [Notice] = []
    let carrier = try FoundGainMap.Carrier(.iso, at: location) { () throws(ImageError) in
      try ISO21496Payload(parsing: segment.body, notices: &found).description
    }
    notices += found.map { $0.inside(place) }
    return carrier
  }

  /// Compares the gain maps that the first image signals with those in the file.
  private mutating func noteHints(_ maps: [FoundGainMap]) {
    func note(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
      notices.append(Notice(code, parameters))
    }
    if base.isMap {
      note(.gainMapWithoutBase)
    } else if maps.isEmpty, let hint = base.announcement {
      note(.gainMapAnnouncedMissing, ["announcement": hint])
    }
    if base.hasRecoveryMap {
      note(
        NoticeCode(.irregular, "recovery map of a format before Ultra HDR (JPEG/R), not supported"))
    }
    let flavors = Set(maps.flatMap(\.carriers).map(\.flavor))
    if flavors.contains(.iso), !base.hasISOVersion, !flavors.contains(.xmp) {
      note(
        NoticeCode(
          .irregular,
          "the first image does not signal the ISO 21496-1 gain map, which some readers require"))
    }
    if flavors.contains(.xmp), !base.hasXMPVersion, !flavors.contains(.iso) {
      note(
        NoticeCode(
          .irregular, "the first image does not contain hdrgm:Version, which some readers require"))
    }
    let lengths = maps.compactMap { map -> Int? in
      if case .image(let index) = map.location { images[index].stored?.count } else { nil }
    }
    if let declared = base.mapLength, !lengths.isEmpty, !lengths.contains(declared) {
      note(.gainMapDirectoryLengthDiffers, ["declared": declared, "size": lengths[0]])
    }
  }
}

/// Metadata in the first image of a file that signal a gain map.
struct BaseHints {
  /// Whether there is a version of ISO 21496-1 that readers support.
  let hasISOVersion: Bool
  private let hasISOSegment: Bool
  /// Whether the metadata of ISO 21496-1 are complete, as those of an image that is a gain map.
  let hasISOPayload: Bool
  var hasXMPVersion = false
  var isMap = false
  var hasRecoveryMap = false
  /// Whether the container directory has an item for a gain map.
  var hasDirectoryItem = false
  /// Its length in bytes, if the directory specifies it.
  var mapLength: Int?

  init(_ primary: JPEGImage) throws(ImageError) {
    let isoSegments = primary.segments(.isoGainMap)
    hasISOVersion = isoSegments.contains { ISO21496Payload.isSupported($0.body) }
    hasISOSegment = !isoSegments.isEmpty
    hasISOPayload = isoSegments.contains { !ISO21496Payload.isVersionOnly($0.body) }
    guard let packet = try primary.readableXMP() else { return }
    hasXMPVersion = packet[GainMapXMP.versionName] != nil
    isMap = GainMapXMP.describesMap(packet)
    let items = packet.containerItems
    hasRecoveryMap = items.contains { $0.semantic == "RecoveryMap" }
    let item = items.first { $0.semantic == "GainMap" }
    hasDirectoryItem = item != nil
    mapLength = item.map(\.length).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Display name of the metadata that signal a gain map; `nil` if there are not any.
  var announcement: String? {
    if hasISOSegment { return "the version of ISO 21496-1" }
    if hasDirectoryItem { return "the container directory" }
    return hasXMPVersion ? "hdrgm:Version" : nil
  }
}
