/// A box that is kept as it is.
public struct OpaqueBox: Sendable {
  public let header: BoxHeader
  public let content: SourceBytes

  init(header: BoxHeader, content: SourceBytes) {
    self.header = header
    self.content = content
  }

  public var type: FourCC { header.type }
}

extension OpaqueBox: Equatable {
  /// Compares type and content; how the header spells the size says nothing.
  public static func == (a: OpaqueBox, b: OpaqueBox) -> Bool {
    a.type == b.type && a.header.userType == b.header.userType && a.content == b.content
  }
}
