/// The ways to spell what a gain map means.
public enum GainMapFlavor: String, Hashable, Sendable, CaseIterable {
  /// The binary payload of ISO 21496-1.
  case iso
  /// Adobe's `hdrgm` XMP, which Ultra HDR uses.
  case xmp
  /// Apple's XMP and maker note.
  case apple
}

/// What one spelling in a file says about its gain map.
public struct GainMapReading: Hashable, Sendable {
  /// A number and where it comes from, for people.
  public struct Number: Hashable, Sendable {
    public var name: String
    public var text: String
    public var origin: String

    public init(_ name: String, _ text: String, from origin: String) {
      self.name = name
      self.text = text
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
