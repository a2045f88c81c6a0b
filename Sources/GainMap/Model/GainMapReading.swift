/// The ways to spell what a gain map means, the one that counts first.
public enum GainMapFlavor: String, Hashable, Sendable, CaseIterable {
  /// The binary payload of ISO 21496-1.
  case iso
  /// Adobe's `hdrgm` XMP, which Ultra HDR uses.
  case xmp
  /// Apple's XMP and maker note.
  case apple

  /// What people call it.
  public var title: String {
    switch self {
    case .iso: "ISO 21496-1"
    case .xmp: "hdrgm XMP"
    case .apple: "Apple's metadata"
    }
  }

  /// Flavors to write instead of this one: the others, or ISO 21496-1.
  public func alternatives(among flavors: Set<GainMapFlavor>) -> [String] {
    let others = GainMapFlavor.allCases.filter { $0 != self && flavors.contains($0) }
    return (others.isEmpty ? [.iso] : others).map(\.rawValue)
  }

  /// The remedy if this flavor, of those to write, cannot describe a gain map.
  public func remedy(among flavors: Set<GainMapFlavor>) -> String {
    flavors == [self] ? "--flavors iso" : "leave '\(rawValue)' out of --flavors"
  }
}

/// What one spelling in a file says about its gain map.
public struct GainMapReading: Hashable, Sendable {
  /// A number and where it comes from, for people.
  public struct Number: Hashable, Sendable {
    /// What kind of place a number comes from; stable, for machines.
    public enum Source: String, Hashable, Sendable, CaseIterable {
      case isoPayload = "iso-payload"
      case xmp
      case makerNote = "maker-note"
      /// The format's value for what is absent.
      case standing = "default"
      /// What this reader takes, as no file says it.
      case assumed
    }

    public var name: String
    public var text: String
    public var source: Source
    /// The place itself: a property, a byte, a pair of tags and the branch of a rule.
    public var origin: String

    public init(_ name: String, _ text: String, _ source: Source, from origin: String) {
      self.name = name
      self.text = text
      self.source = source
      self.origin = origin
    }
  }

  public var flavor: GainMapFlavor
  public var meaning: GainMapMeaning
  /// All numbers, in the order of the format.
  public var numbers: [Number]

  public init(flavor: GainMapFlavor, meaning: GainMapMeaning, numbers: [Number]) {
    self.flavor = flavor
    self.meaning = meaning
    self.numbers = numbers
  }
}
