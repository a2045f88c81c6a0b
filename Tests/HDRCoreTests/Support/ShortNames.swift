// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import Testing

// Logs contain names of arguments instead of all their numbers.

extension ColorPrimaries: CustomTestStringConvertible {
  public var testDescription: String { cicp?.name ?? "red (\(red.x), \(red.y))" }
}

extension ColorEncoding: CustomTestStringConvertible {
  public var testDescription: String {
    "\(primaries.testDescription), \(transfer), \(matrix.name), "
      + (isFullRange ? "full range" : "narrow range")
  }
}

extension ToneMapOperator: CustomTestStringConvertible {
  public var testDescription: String { rawValue }
}
