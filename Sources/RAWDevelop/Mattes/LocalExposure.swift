// SPDX-License-Identifier: Apache-2.0
extension RawDevelopment {
  /// An exposure correction under a matte of the file.
  public struct LocalExposure: Codable, Hashable, Sendable {
    /// A short name, such as `skin` or `sky`, or the name in the file, or its part after the last
    /// colon; in any case.
    public var matte: String
    /// Correction in stops at full coverage, -32...32; proportional to coverage.
    public var stops: Double

    public init(matte: String, stops: Double) {
      self.matte = matte
      self.stops = stops
    }
  }
}
