// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The codec of an image item.
package enum ItemCodec: Hashable, Sendable {
  case hevc
  case av1

  /// The library that decodes the items.
  package var library: String { self == .hevc ? "libde265" : "dav1d" }

  /// Type of the items that the codec encodes.
  package var itemType: FourCC { self == .hevc ? "hvc1" : "av01" }
}
