internal import HDRCore

/// The directory of a file's parts that Google's formats put into XMP.
///
/// Source: Ultra HDR Image Format v1.0, "GContainer".
extension XMPPacket {
  /// One part of the file.
  public struct ContainerItem: Hashable, Sendable {
    /// `Primary`, `GainMap`, `MotionPhoto`, `Depth` and others.
    public var semantic: String
    public var mime: String
    /// Bytes of the part; 0 if the directory does not say, or if it shares the data of the one before.
    public var length: Int
    /// Bytes between this part and the next.
    public var padding: Int
  }

  private static let itemNamespace = "http://ns.google.com/photos/1.0/container/item/"

  /// All items of the directory, in order; the first is the primary picture.
  public var containerItems: [ContainerItem] {
    itemElements.map { element in
      func text(_ local: String) -> String? { field(local, of: element)?.text }
      func number(_ local: String) -> Int { max(text(local).flatMap { Int($0) } ?? 0, 0) }
      return ContainerItem(
        semantic: text("Semantic") ?? "", mime: text("Mime") ?? "", length: number("Length"),
        padding: number("Padding"))
    }
  }

  /// Changes the length that the directory gives for an item, if it gives one.
  ///
  /// - Throws: `.malformed` if what is left cannot be read.
  mutating func setContainerLength(_ length: Int, ofItem index: Int) throws(ImageError) {
    let elements = itemElements
    guard elements.indices.contains(index), let field = field("Length", of: elements[index]) else {
      return
    }
    try replace(field.range, with: "\(length)")
  }

  /// The elements that have a semantic, whatever the nesting and the form.
  private var itemElements: [XMLTree.Element] {
    tree.elements.filter { field("Semantic", of: $0) != nil }
  }

  private func field(
    _ local: String, of element: XMLTree.Element
  ) -> (text: String, range: Range<Int>)? {
    let name = XMPName(Self.itemNamespace, local)
    if let attribute = element.attributes.first(where: { $0.name == name }) {
      return (attribute.text, attribute.value)
    }
    return tree.children(of: element).first { $0.name == name }.map { ($0.text, $0.content) }
  }
}
