// SPDX-License-Identifier: Apache-2.0
/// Relation of stored rows and columns to the upright image.
///
/// A case names the change that makes the stored image upright; its number is the value of Exif.
///
/// Source: Exif (CIPA DC-008), tag 274; HEIF (ISO/IEC 23008-12), 6.5.10 and 6.5.12.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
  /// The stored image is upright.
  case upright = 1
  /// Left and right are exchanged.
  case mirrored = 2
  /// Upright after half a turn.
  case rotated180 = 3
  /// Top and bottom are exchanged.
  case flipped = 4
  /// Mirrored along the diagonal from top left to bottom right.
  case transposed = 5
  /// Upright after a quarter turn clockwise.
  case rotated90 = 6
  /// Mirrored along the diagonal from top right to bottom left.
  case transversed = 7
  /// Upright after a quarter turn anticlockwise.
  case rotated270 = 8

  /// Whether width and height are swapped.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The orientation from the upright image to the stored one.
  public var inverse: Orientation {
    switch self {
    case .rotated90: .rotated270
    case .rotated270: .rotated90
    default: self
    }
  }
}
