// SPDX-License-Identifier: Apache-2.0
/// A box that is kept verbatim.
package struct OpaqueBox: Sendable {
  package let header: BoxHeader
  package let content: SourceBytes

  init(header: BoxHeader, content: SourceBytes) {
    self.header = header
    self.content = content
  }

  package var type: FourCC { header.type }
}

extension OpaqueBox: Equatable {
  /// Compares type and content; the encoding of the size is not significant.
  package static func == (a: OpaqueBox, b: OpaqueBox) -> Bool {
    a.type == b.type && a.header.userType == b.header.userType && a.content == b.content
  }
}
