public import GainMap
public import HDRCore
internal import ImageContainers

/// All gain maps of a file, and what is to be said about them.
///
/// Made from a parsed container: `GainMapInventory(of: file)`. Nothing is decoded, and a map that is
/// broken is a notice and never an error, as the base picture is good without it.
///
/// ```swift
/// let file = try HEIFFile(parsing: ByteSource(path: "IMG_0001.HEIC"))
/// let inventory = GainMapInventory(of: file)
/// for number in inventory.applicable?.reading?.numbers ?? [] {
///   print(number.name, number.text, number.origin)
/// }
/// ```
public struct GainMapInventory: Sendable {
  /// Those that can be applied first, in order of rank.
  public let maps: [FoundGainMap]
  /// What is broken, contradictory, stale or odd.
  public let notices: [Notice]

  /// The map that is applied to the base picture.
  public var applicable: FoundGainMap? { maps.first { $0.isApplicable } }

  /// The map that is applied to the base picture.
  ///
  /// - Throws: `.unsuitable` if there is none, with what stands in its way.
  public func requireApplicable() throws(ImageError) -> FoundGainMap {
    if let applicable { return applicable }
    guard let cause = maps.first.flatMap(Self.obstacle) ?? notices.first?.asCause else {
      throw ImageError(.gainMapNone)
    }
    throw ImageError(maps.isEmpty ? .gainMapNoneReadable : .gainMapNotApplicable, ["cause": cause])
  }

  /// Why a map cannot be applied.
  private static func obstacle(to map: FoundGainMap) -> ImageError? {
    if let objection = map.objection { return objection }
    return map.spellings.lazy.compactMap { spelling in
      spelling.failure.map {
        ImageError(
          .gainMapDescriptionError, ["flavor": spelling.flavor.title, "cause": $0],
          at: spelling.location)
      }
    }.first
  }

  /// Ranks maps, and compares the descriptions of each.
  ///
  /// - Parameters:
  ///   - found: In the order of the file.
  ///   - notices: What was met on the way.
  init(_ found: [FoundGainMap], notices: [Notice]) {
    maps = Self.ranked(found)
    self.notices = notices + maps.flatMap(Self.notices) + Self.surplus(maps)
  }

  private static func ranked(_ found: [FoundGainMap]) -> [FoundGainMap] {
    func rank(_ map: FoundGainMap) -> Int {
      guard map.isApplicable, let flavor = map.reading?.flavor else { return .max }
      return GainMapFlavor.allCases.firstIndex(of: flavor) ?? .max
    }
    return found.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    .map(\.element)
  }

  private static func notices(about map: FoundGainMap) -> [Notice] {
    var notices: [Notice] = []
    for spelling in map.spellings {
      guard let error = spelling.failure else { continue }
      let notice = Notice(
        .gainMapDescriptionUnreadable,
        ["flavor": spelling.flavor.title, "cause": error], at: error.location)
      notices.append(notice.inside(spelling.location))
    }
    guard let reading = map.reading else { return notices }
    notices += conflicts(in: map.spellings)
    if let objection = map.objection {
      notices.append(
        Notice(.gainMapNotApplied, ["cause": objection], at: map.place.location))
    }
    if !reading.meaning.usesBaseColorSpace, map.alternate.cicp == nil, map.alternate.icc == nil {
      notices.append(
        Notice(.gainMapPrimariesAssumed, at: map.place.location))
    }
    return notices
  }

  /// Where descriptions of one map differ by more than one percent of light.
  private static func conflicts(in spellings: [FoundGainMap.Carrier]) -> [Notice] {
    let readings = spellings.compactMap(\.reading)
    guard let first = readings.first else { return [] }
    return readings.dropFirst().compactMap { other in
      let differences = first.meaning.disagreements(with: other.meaning)
      guard !differences.isEmpty else { return nil }
      return Notice(
        .gainMapDescriptionsDiffer,
        [
          "first": first.flavor.title, "second": other.flavor.title,
          "differences": differences,
        ])
    }
  }

  private static func surplus(_ maps: [FoundGainMap]) -> [Notice] {
    let applicable = maps.filter(\.isApplicable)
    guard applicable.count > 1 else { return [] }
    return [
      Notice(.gainMapSeveral, ["count": applicable.count], at: applicable[0].place.location)
    ]
  }
}

extension GainMapMeaning {
  /// What differs by more than one percent of light between two descriptions of one map.
  ///
  /// Apple's curve and parameters never agree in full; their headrooms do.
  func disagreements(with other: GainMapMeaning) -> [String] {
    if case .parameters(let ours) = self, case .parameters(let theirs) = other {
      return ours.disagreements(with: theirs)
    }
    let (ours, theirs) = (fullHeadroom.stops, other.fullHeadroom.stops)
    guard abs(ours - theirs) > GainMapMetadata.onePercentInStops else { return [] }
    return ["headroom \(ours.rounded6) against \(theirs.rounded6) stops"]
  }
}

extension FoundGainMap.Place {
  /// As reports, notices and errors name it.
  public var name: String {
    switch self {
    case .image(let index): JPEGFile.nameOfImage(index)
    case .item(let id): "item \(id)"
    case .codestream: "jhgm"
    case .file: "a file of its own"
    }
  }

  var location: ImageError.Location {
    switch self {
    case .image, .item: .init(path: [name])
    case .codestream(let range): .init(path: [name], offset: range.lowerBound)
    case .file: .init()
    }
  }
}
