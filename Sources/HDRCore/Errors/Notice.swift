/// Something a conversion or a reader wants people to know: lost, guessed, repaired or
/// contradictory.
public struct Notice: Hashable, Sendable {
  /// What kind of news this is; stable, for machines.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something of the input is not in the output.
    case lost
    /// The input does not say; this meaning was taken.
    case assumed
    /// Two parts of the input contradict each other; the text names the winner.
    case conflict
    /// The output is valid, but outside the standard that the toolkit writes by default.
    case nonconforming
    /// Light or color was changed to fit the output; the text gives the share of pixels.
    case clipped
    /// Odd but readable.
    case irregular
  }

  public var kind: Kind
  public var message: String
  public var location: ImageError.Location

  public init(
    _ kind: Kind, _ message: String, at location: ImageError.Location = .init()
  ) {
    self.kind = kind
    self.message = message
    self.location = location
  }
}
