// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An XMP packet: its text and its properties.
///
/// Edits change only the affected text; all other bytes are kept.
///
/// Source: ISO 16684-1 (XMP part 1).
package struct XMPPacket: Sendable {
  /// UTF-8 text, with the packet wrapper if there is one.
  package private(set) var bytes: [UInt8]
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice] = []
  let tree: XMLTree

  /// Maximum packet size in bytes; with extended XMP, packets of cameras have a few megabytes.
  private static let largest = 64 << 20

  /// Parses a packet in UTF-8 or UTF-16.
  ///
  /// A packet in UTF-16 is converted to UTF-8, with a notice.
  ///
  /// - Throws: `.malformed` if it is not well-formed XML, `.limitExceeded` for more than 64 MiB,
  ///   for elements that are nested too deeply, and if the budget of the current execution is
  ///   exceeded.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    self = try Execution.parsing(bytes) { () throws(ImageError) in
      try XMPPacket(interpreting: bytes)
    }
  }

  private init(interpreting bytes: [UInt8]) throws(ImageError) {
    guard bytes.count <= Self.largest else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "XMP packet", "size": bytes.count, "limit": Self.largest],
        at: .init(path: ["XMP"]))
    }
    if let converted = try Self.convertedFromUTF16(bytes) {
      self.bytes = converted
      notices.append(Notice(.xmpUTF16, at: .init(path: ["XMP"])))
    } else {
      self.bytes = bytes
    }
    guard String(validating: self.bytes, as: UTF8.self) != nil else {
      throw ImageError(
        .invalidValue, ["field": "text encoding", "value": "not UTF-8"], at: .init(path: ["XMP"]))
    }
    tree = try XMLTree(parsing: self.bytes, nesting: ImageLimits().nesting)
  }

  /// UTF-8 text of a packet without properties.
  package static let empty = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">
      <rdf:Description rdf:about=""/>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """.utf8)

  /// Returns the packet converted to UTF-8 if it is in UTF-16, otherwise `nil`.
  private static func convertedFromUTF16(_ bytes: [UInt8]) throws(ImageError) -> [UInt8]? {
    let isBigEndian: Bool
    switch Array(bytes.prefix(2)) {
    case [0xFE, 0xFF], [0, UInt8(ascii: "<")]: isBigEndian = true
    case [0xFF, 0xFE], [UInt8(ascii: "<"), 0]: isBigEndian = false
    default: return nil
    }
    guard let text = String(validating: bytes.utf16Units(isBigEndian: isBigEndian), as: UTF16.self)
    else {
      throw ImageError(
        .invalidValue, ["field": "text encoding", "value": "not UTF-16"], at: .init(path: ["XMP"]))
    }
    var converted = Array(text.utf8)
    if converted.starts(with: [0xEF, 0xBB, 0xBF]) { converted.removeFirst(3) }
    // An XML declaration would specify the wrong encoding; UTF-8 does not require one.
    if converted.starts(with: "<?xml ".utf8),
      let end = converted.firstIndex(of: UInt8(ascii: ">"))
    {
      converted.removeFirst(end + 1)
    }
    return converted
  }
}

extension XMPPacket {
  /// Returns XMP for a container that cannot store diffuse white otherwise.
  ///
  /// - Parameters:
  ///   - packet: The packet to edit; `nil` if missing.
  ///   - luminance: Luminance of diffuse white in cd/m²; `nil` to remove it.
  /// - Returns: The packet with this diffuse white; `nil` if XMP is not needed.
  /// - Throws: `.malformed` if the packet cannot be edited.
  package static func consistent(
    _ packet: [UInt8]?, withDiffuseWhite luminance: Double?
  ) throws(ImageError) -> [UInt8]? {
    guard let packet else { return luminance.map(self.packet(diffuseWhite:)) }
    var xmp = try XMPPacket(parsing: packet)
    try xmp.setDiffuseWhite(luminance)
    return xmp.bytes
  }
}

/// Diffuse white, for containers that cannot store it otherwise.
extension XMPPacket {
  /// Property with the luminance of diffuse white in cd/m², as a decimal number.
  package static let diffuseWhite = XMPName("urn:x-hdrconvert:xmp:1.0/", "DiffuseWhite")

  /// Returns a packet that contains only the luminance of diffuse white in cd/m², rounded to
  /// 0.0001.
  package static func packet(diffuseWhite luminance: Double) -> [UInt8] {
    var packet = String(decoding: empty, as: UTF8.self)
    packet.replace(
      " rdf:about=\"\"",
      with: " rdf:about=\"\" xmlns:hdrc=\"\(diffuseWhite.namespace)\""
        + " hdrc:\(diffuseWhite.local)=\"\(decimal(luminance))\"")
    return Array(packet.utf8)
  }

  /// Returns the luminance of diffuse white in cd/m²: 0 or 0.0001...10 000.
  ///
  /// `nil` if the property is missing, and with a notice if it is invalid.
  package func diffuseWhite(notices: inout [Notice]) -> Double? {
    guard let value = self[Self.diffuseWhite] else { return nil }
    guard let luminance = value.text.flatMap(Double.init),
      luminance == 0 || (1e-4...10_000).contains(luminance)
    else {
      notices.append(
        Notice(
          .irregular, "ignored: DiffuseWhite {value} is not a luminance", ["value": "\(value)"],
          at: .init(path: ["XMP", "DiffuseWhite"]))
      )
      return nil
    }
    return luminance
  }

  /// Sets the luminance of diffuse white in cd/m², rounded to 0.0001; `nil` removes it.
  ///
  /// - Throws: `.malformed` if the packet does not contain RDF.
  package mutating func setDiffuseWhite(_ luminance: Double?) throws(ImageError) {
    if let luminance {
      try set(Self.decimal(luminance), for: Self.diffuseWhite, prefix: "hdrc")
    } else {
      try remove(Self.diffuseWhite)
    }
  }

  /// Formats a luminance with at most four decimals, the resolution of `ndwt`.
  static func decimal(_ luminance: Double) -> String {
    let scaled: UInt32 = FixedPoint.unsigned(luminance, unit: 1e-4)
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 10_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String("\(rest + 10_000)".dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

/// Light levels, for containers that cannot store them otherwise.
extension XMPPacket {
  /// Properties with MaxCLL and MaxFALL in cd/m², as decimal numbers.
  private static let lightLevel = (
    maximum: XMPName(diffuseWhite.namespace, "MaxCLL"),
    average: XMPName(diffuseWhite.namespace, "MaxFALL")
  )

  /// Returns XMP for a container that cannot store light levels otherwise.
  ///
  /// - Parameters:
  ///   - packet: The packet to edit; `nil` if missing.
  ///   - level: The light levels; `nil` to remove them.
  /// - Returns: The packet with these light levels; `nil` if XMP is not needed.
  /// - Throws: `.malformed` if the packet cannot be edited.
  package static func consistent(
    _ packet: [UInt8]?, withLightLevel level: LightMetadata.ContentLightLevel?
  ) throws(ImageError) -> [UInt8]? {
    guard packet != nil || level != nil else { return nil }
    var xmp = try XMPPacket(parsing: packet ?? empty)
    if level == nil, xmp[lightLevel.maximum] == nil, xmp[lightLevel.average] == nil {
      return packet
    }
    try xmp.setLightLevel(level)
    return xmp.bytes
  }

  /// Returns MaxCLL and MaxFALL, each 0...65 535 cd/m² as in `clli`; one that is missing is 0.
  ///
  /// `nil` if both are missing, and with a notice if one is invalid.
  package func lightLevel(notices: inout [Notice]) -> LightMetadata.ContentLightLevel? {
    guard self[Self.lightLevel.maximum] != nil || self[Self.lightLevel.average] != nil else {
      return nil
    }
    guard let maximum = level(Self.lightLevel.maximum, &notices),
      let average = level(Self.lightLevel.average, &notices)
    else { return nil }
    return .init(maximum: maximum, maximumAverage: average)
  }

  private func level(_ name: XMPName, _ notices: inout [Notice]) -> Double? {
    guard let value = self[name] else { return 0 }
    guard let luminance = value.text.flatMap(Double.init), (0...65_535).contains(luminance) else {
      notices.append(
        Notice(
          .irregular, "ignored: {name} {value} is not a luminance",
          ["name": name.local, "value": "\(value)"],
          at: .init(path: ["XMP", name.local])))
      return nil
    }
    return luminance
  }

  /// Sets MaxCLL and MaxFALL, rounded to 0.0001 cd/m²; `nil` removes them.
  ///
  /// - Throws: `.malformed` if the packet does not contain RDF.
  package mutating func setLightLevel(
    _ level: LightMetadata.ContentLightLevel?
  ) throws(ImageError) {
    guard let level else { return try remove([Self.lightLevel.maximum, Self.lightLevel.average]) }
    try set(Self.decimal(level.maximum), for: Self.lightLevel.maximum, prefix: "hdrc")
    try set(Self.decimal(level.maximumAverage), for: Self.lightLevel.average, prefix: "hdrc")
  }
}

/// Properties of a packet.
extension XMPPacket {
  /// All top-level properties, as attributes or elements, in file order; duplicates are included.
  package var properties: [XMPProperty] { descriptions.flatMap(fields) }

  /// Returns the value of a property; the first one if it is duplicate, `nil` if it is missing.
  package subscript(name: XMPName) -> XMPValue? {
    for description in descriptions {
      if let attribute = description.attributes.first(where: { $0.name == name }) {
        return .text(attribute.text)
      }
      if let child = tree.children(of: description).first(where: { $0.name == name }) {
        return value(of: child)
      }
    }
    return nil
  }

  /// The `rdf:RDF` element.
  var rdf: XMLTree.Element? { tree.elements.first { $0.name == .rdf("RDF") } }

  /// The elements whose attributes and children are top-level properties.
  var descriptions: [XMLTree.Element] { rdf.map(tree.children(of:)) ?? [] }

  /// Returns the properties of a node: its attributes, then its children.
  private func fields(of node: XMLTree.Element) -> [XMPProperty] {
    let attributes = node.attributes.lazy.filter { !$0.isDeclaration && !$0.name.isSyntax }
    return attributes.map { XMPProperty(name: $0.name, value: .text($0.text)) }
      + tree.children(of: node).map { XMPProperty(name: $0.name, value: value(of: $0)) }
  }

  /// Returns the value of a property element or array item.
  ///
  /// Source: RDF/XML, 7.2.14 to 7.2.21, as ISO 16684-1 clause 7 restricts it.
  private func value(of element: XMLTree.Element) -> XMPValue {
    func attribute(_ local: String) -> String? {
      element.attributes.first { $0.name == .rdf(local) }?.text
    }
    if attribute("parseType") == "Resource" { return value(ofFields: fields(of: element)) }
    if let resource = attribute("resource") { return .text(resource) }
    guard let node = tree.children(of: element).first else {
      let fields = fields(of: element)
      return fields.isEmpty ? .text(element.text) : value(ofFields: fields)
    }
    switch node.name {
    case .rdf("Seq"), .rdf("Bag"), .rdf("Alt"):
      return .array(tree.children(of: node).map(value))
    default:
      return value(ofFields: fields(of: node))
    }
  }

  /// Returns a structure, or the value that qualifiers belong to.
  private func value(ofFields fields: [XMPProperty]) -> XMPValue {
    fields.first { $0.name == .rdf("value") }?.value ?? .structure(fields)
  }
}

/// Arrays and structures, which cannot be stored as attributes.
extension XMPPacket {
  /// Sets a property to a value of any kind, as an element of the first description.
  ///
  /// Namespaces are declared on the description, where some readers require them.
  ///
  /// - Parameters:
  ///   - value: New value; arrays are serialized as `rdf:Seq`, structures of texts as attributes.
  ///   - name: Name of the property.
  ///   - prefixes: Preferred prefixes for namespaces that the packet does not declare, by
  ///     namespace; `ns` for others.
  /// - Throws: `.malformed` if the packet does not contain RDF, or if a name or a prefix is not an
  ///   XML name.
  package mutating func set(
    _ value: XMPValue, for name: XMPName, prefixes: [String: String]
  ) throws(ImageError) {
    try remove(name)
    if descriptions.isEmpty { try addDescription() }
    guard let description = descriptions.first else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    var serializer = ValueSerializer(namespaces: description.namespaces, preferred: prefixes)
    let element = serializer.element(name, value)
    let end = description.attributes.last?.range.upperBound ?? description.qualifiedName.upperBound
    let close = description.isClosed ? "</\(text(description.qualifiedName))>" : ""
    try replace(
      end..<description.tag.upperBound, with: "\(serializer.declarations)>\(element)\(close)")
  }

  private mutating func addDescription() throws(ImageError) {
    guard let rdf,
      let prefix = rdf.namespaces.first(where: { $0.value == XMPName.rdfNamespace })?.key,
      !prefix.isEmpty
    else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    let description = "<\(prefix):Description \(prefix):about=\"\"/>"
    guard rdf.isClosed else {
      return try replace(rdf.content.lowerBound..<rdf.content.lowerBound, with: description)
    }
    try replace(
      rdf.tag.upperBound - 2..<rdf.tag.upperBound,
      with: ">\(description)</\(text(rdf.qualifiedName))>")
  }
}

/// Serializes values as RDF/XML, and collects the namespaces that they require.
private struct ValueSerializer {
  private var prefixes: [String: String]
  private var taken: Set<String>
  private let preferred: [String: String]
  /// Namespace declarations, each with a leading space.
  private(set) var declarations = ""

  init(namespaces: [String: String], preferred: [String: String]) {
    let known = namespaces.filter { !$0.key.isEmpty }
    prefixes = Dictionary(known.map { ($0.value, $0.key) }, uniquingKeysWith: min)
    taken = Set(known.keys)
    self.preferred = preferred
  }

  mutating func element(_ name: XMPName, _ value: XMPValue) -> String {
    let tag = prefixed(name)
    switch value {
    case .text(let text): return "<\(tag)>\(XMLText.escape(text))</\(tag)>"
    case .array(let items):
      let (sequence, item) = (prefixed(.rdf("Seq")), XMPName.rdf("li"))
      let content = items.map { element(item, $0) }.joined()
      return "<\(tag)><\(sequence)>\(content)</\(sequence)></\(tag)>"
    case .structure(let fields): return structure(tag, fields)
    }
  }

  private mutating func structure(_ tag: String, _ fields: [XMPProperty]) -> String {
    var attributes = ""
    for field in fields {
      guard case .text(let text) = field.value else {
        let content = fields.map { element($0.name, $0.value) }.joined()
        return "<\(tag) \(prefixed(.rdf("parseType")))=\"Resource\">\(content)</\(tag)>"
      }
      attributes += " \(prefixed(field.name))=\"\(XMLText.escape(text))\""
    }
    return "<\(tag)\(attributes)/>"
  }

  private mutating func prefixed(_ name: XMPName) -> String {
    if let prefix = prefixes[name.namespace] { return "\(prefix):\(name.local)" }
    let wanted = preferred[name.namespace] ?? "ns"
    var prefix = wanted
    var number = 1
    while !taken.insert(prefix).inserted {
      number += 1
      prefix = "\(wanted)\(number)"
    }
    prefixes[name.namespace] = prefix
    declarations += " xmlns:\(prefix)=\"\(XMLText.escape(name.namespace))\""
    return "\(prefix):\(name.local)"
  }
}
