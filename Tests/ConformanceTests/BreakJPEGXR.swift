// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import TestSupport

/// Files that violate rules of JPEG XR.
extension Break {
  static let jpegXR: [Break] = [
    jpegXR(["jpegxr/version"]) { $0.version = 0 },
    jpegXR(["jpegxr/entries"]) { $0.entries.append($0.entries[1]) },
    jpegXR(["jpegxr/required"]) { $0.remove(0xBC80) },
    jpegXR(["jpegxr/pixel-format"]) {
      $0.codestream = SyntheticJPEGXR.header(depth: 1)
    },
    jpegXR(["jpegxr/known-format"]) { $0.setPixelFormat(0xFF) },
    // Signature and version.
    jpegXR(["jpegxr/codestream"]) { $0.codestream[6] = 0x51 },
    jpegXR(["jpegxr/codestream"]) { $0.codestream[8] = 0x21 },
    jpegXR(["jpegxr/codestream"]) { $0.alpha?[8] = 0x21 },
    jpegXR(["jpegxr/size"]) { $0.set(0xBC81, 17) },
    jpegXR(["jpegxr/size"]) { $0.set(0xBC80, 0) },
    jpegXR(["jpegxr/data"]) { $0.excess = 1 << 10 },
    jpegXR(["jpegxr/alpha"]) { $0.alpha = nil },
    jpegXR(["jpegxr/alpha"]) { $0.setPixelFormat(0x3B) },
    jpegXR(["jpegxr/premultiplied"]) { $0.codestream[10] |= 2 },
    jpegXR(["jpegxr/color-info"]) { $0.set(0xBC05, type: 1, [9, 16, 0]) },
    jpegXR(["jpegxr/transform"]) { $0.set(0xBC02, 8) },
  ]

  private static func jpegXR(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout SyntheticJPEGXR) -> Void
  ) -> Break {
    Break(rules, .jpegXR) {
      var file = Fixture.halfFloats
      change(&file)
      return file.bytes
    }
  }
}

extension Fixture {
  /// Headers of an image with planar alpha.
  static let halfFloats = SyntheticJPEGXR(
    0x3A, SyntheticJPEGXR.header(depth: 4), alpha: SyntheticJPEGXR.header(color: 0, depth: 4))
}
#endif
