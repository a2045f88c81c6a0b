// SPDX-License-Identifier: Apache-2.0
/// An argument of a test with a short name, which logs contain instead of its value.
public struct Named<Value: Sendable>: CustomStringConvertible, Sendable {
  public let description: String
  public let value: Value

  public init(_ name: String, _ value: Value) {
    description = name
    self.value = value
  }
}
