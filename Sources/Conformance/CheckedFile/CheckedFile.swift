internal import HDRConversion
public import HDRCore
internal import ImageCodecs
internal import ImageContainers
public import ImageFiles

/// A file under judgment: its structure, what it says about color and light, and its light.
public struct CheckedFile: Sendable {
  /// The parsed file.
  public let file: ImageFile
  let heif: CheckedHEIF?
  let png: CheckedPNG?
  let jpeg: CheckedJPEG?
  /// The picture as the codecs of this build see it, or why they do not.
  let opened: Result<SourceImage, ImageError>
  let color: DeclaredColor
  let light: DeclaredLight
  let profiles: [EmbeddedProfile]
  private let knownLight = Once<LightLevels>()

  /// Prepares a file to be judged; nothing is decoded before a rule asks for its light.
  ///
  /// - Throws: What is so wrong with a file that there is nothing to judge.
  public init(_ file: ImageFile) throws(ImageError) {
    self.file = file
    switch file.container {
    case .heif(let heif):
      self.heif = CheckedHEIF(heif, byteCount: file.source.count)
      (png, jpeg) = (nil, nil)
    case .png(let png):
      self.png = CheckedPNG(png)
      (heif, jpeg) = (nil, nil)
    case .jpeg(let jpeg):
      self.jpeg = CheckedJPEG(jpeg)
      (heif, png) = (nil, nil)
    default: (heif, png, jpeg) = (nil, nil, nil)
    }
    do throws(ImageError) {
      opened = .success(try SourceImage.open(file))
    } catch {
      let isUnstructured = heif == nil && png == nil && jpeg == nil
      // Without a structure that is parsed here there is nothing left to judge.
      if isUnstructured, error.category != .missingCodec, error.category != .unsupported {
        throw error
      }
      opened = .failure(error)
    }
    let facts = MetadataFinder(heif: heif, png: png, jpeg: jpeg, document: try? opened.get())
    profiles = facts.profiles()
    color = facts.color(profiles: profiles)
    light = facts.light()
  }

  /// Standards that the file claims to follow, or whose things it has.
  public var applicableStandards: Set<Standard> {
    var standards: Set<Standard> = []
    if color.isHighDynamicRange { standards.insert(.iso22028) }
    if heif != nil { standards.insert(.heif) }
    if let heif, heif.isAVIF { standards.insert(.avif) }
    if png != nil { standards.insert(.png) }
    if jpeg != nil { standards.insert(.jpeg) }
    if !profiles.isEmpty { standards.insert(.icc) }
    if hasISOGainMap { standards.insert(.iso21496) }
    return standards
  }

  var hasISOGainMap: Bool {
    heif?.toneMaps.isEmpty == false || jpeg?.images.contains { $0.isoPayload != nil } == true
  }

  /// The light of the primary picture.
  ///
  /// - Throws: Why it cannot be decoded.
  func measuredLight() throws(ImageError) -> LightLevels {
    try knownLight.value { () throws(ImageError) in
      try opened.get().image.lightLevels(execution: .current)
    }
  }

  /// Whether coding may have changed samples.
  var isLossy: Bool { heif != nil || jpeg != nil }
}
