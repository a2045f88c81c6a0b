extension RawDevelopment {
  /// A change of exposure where a matte of the file says so.
  public struct LocalExposure: Hashable, Sendable {
    /// A short name, `skin` or `sky`, or what the file calls the matte.
    public var matte: String
    /// Where the matte is whole; elsewhere the share that it covers.
    public var stops: Double

    public init(matte: String, stops: Double) {
      self.matte = matte
      self.stops = stops
    }
  }
}
