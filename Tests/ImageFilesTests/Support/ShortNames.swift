// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import Testing

extension ColorPrimaries: CustomTestStringConvertible {
  /// The name in logs.
  public var testDescription: String { cicp?.name ?? "red (\(red.x), \(red.y))" }
}
