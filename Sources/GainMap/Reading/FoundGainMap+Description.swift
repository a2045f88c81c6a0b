extension FoundGainMap {
  /// One description of the gain map that can be read.
  public struct Description: Hashable, Sendable {
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
}
