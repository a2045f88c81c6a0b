// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A version of the DNG specification: four numbers.
package struct DNGVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// The newest supported version, 1.7.1.0.
  package static let newest = DNGVersion([1, 7, 1, 0])

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func < (left: DNGVersion, right: DNGVersion) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  package var description: String { bytes.map(String.init).joined(separator: ".") }
}
