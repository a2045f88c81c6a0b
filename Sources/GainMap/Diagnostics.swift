// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and their English.

extension ErrorCode {
  static let gainMapHeadroomNotRepresentable = ErrorCode(
    "gain-map/headroom-not-representable", .invalidArgument,
    "a headroom of {stops stop} cannot be represented")
}
