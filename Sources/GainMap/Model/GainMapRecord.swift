internal import HDRCore

/// What the samples of a gain map mean, apart from any file that holds them.
///
/// `gainmap extract` writes it beside the picture of a map, and `gainmap join` takes it back; `json()`
/// and `init(json:)` are its spelling.
public struct GainMapRecord: Hashable, Sendable {
  /// The meaning, and whose words it is.
  public var reading: FoundGainMap.Description
  /// What other flavors in the file say about the same samples.
  public var others: [FoundGainMap.Description] = []
  /// What is known about the rendition that is not the base.
  public var alternate: AlternateRendition
  /// The layout of the samples, if it is known.
  public var layout: FoundGainMap.Layout?
  /// The XMP that lies with the map, verbatim.
  public var xmp: [UInt8]?
  /// What Apple's maker note beside the base says.
  package var makerNote: AppleMakerNote?

  public init(
    _ reading: FoundGainMap.Description, alternate: AlternateRendition = AlternateRendition(),
    layout: FoundGainMap.Layout? = nil
  ) {
    self.reading = reading
    self.alternate = alternate
    self.layout = layout
  }

  /// What a file says about one of its maps; `nil` if nothing of that can be read.
  public init?(_ found: FoundGainMap) {
    guard let reading = found.reading else { return nil }
    self.init(reading, alternate: found.alternate, layout: found.layout)
    var flavors: Set<GainMapFlavor> = [reading.flavor]
    others = found.spellings.compactMap(\.reading).filter { flavors.insert($0.flavor).inserted }
  }

  public var meaning: GainMapMeaning { reading.meaning }
}

extension FoundGainMap {
  /// A map whose samples are the picture of another file, which this record describes.
  public init(_ record: GainMapRecord) {
    self.init(
      place: .file, layout: record.layout,
      spellings: ([record.reading] + record.others).map { reading in
        FoundGainMap.Carrier(reading.flavor, at: .init(path: ["metadata"])) {
          () throws(ImageError) in reading
        }
      }, alternate: record.alternate)
  }
}
