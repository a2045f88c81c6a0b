// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A text about an image, from IPTC or PNG, as a property of XMP.
struct DescriptiveText: Hashable {
  /// The type of the property; arrays by the local name of their RDF element.
  enum Form: String {
    case text
    case alternatives = "Alt"
    case bag = "Bag"
    case sequence = "Seq"
  }

  var property: XMPName
  var form: Form
  /// One text, unless the property is an array.
  var texts: [String]

  private init?(_ name: String?, _ form: Form, _ texts: [String]) {
    let parts = name?.split(separator: ":") ?? []
    guard parts.count == 2, let namespace = Self.namespaces[String(parts[0])], !texts.isEmpty else {
      return nil
    }
    property = XMPName(namespace, String(parts[1]))
    self.form = form
    // Others are not in XML, and such data are not a text.
    let isText = texts.allSatisfy {
      $0.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE || ["\t", "\n", "\r"].contains($0)
      }
    }
    guard isText else { return nil }
    self.texts = texts
  }

  private static let namespaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "exif": "http://ns.adobe.com/exif/1.0/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/", "xmp": "http://ns.adobe.com/xap/1.0/",
  ]

  /// The property as RDF/XML, with the prefix `rdf` for RDF.
  fileprivate var element: String {
    let prefix = Self.namespaces.first { $0.value == property.namespace }?.key ?? "ns"
    let name = "\(prefix):\(property.local)"
    let language = form == .alternatives ? " xml:lang=\"x-default\"" : ""
    let items = texts.map { "<rdf:li\(language)>\(XMLText.escape($0))</rdf:li>" }.joined()
    let content =
      form == .text
      ? XMLText.escape(texts[0]) : "<rdf:\(form.rawValue)>\(items)</rdf:\(form.rawValue)>"
    return "<\(name) xmlns:\(prefix)=\"\(property.namespace)\">\(content)</\(name)>"
  }
}

extension DescriptiveText {
  /// The property of a text of a PNG file; `nil` for unreadable text and for other keywords.
  ///
  /// Source: PNG Third Edition, 11.3.3.1.
  init?(_ chunk: PNGChunk) throws(ImageError) {
    guard case .bytes(let bytes) = chunk.content else { return nil }
    var reader = ByteReader(bytes.span)
    guard let text = try ifReadable(try PNGText(type: chunk.type, parsing: &reader)),
      let (name, form) = Self.keywords[text.keyword]
    else { return nil }
    self.init(
      name, form,
      [
        chunk.type == .internationalText
          ? String(decoding: text.bytes, as: UTF8.self)
          : String(latin1: text.bytes)
      ])
  }

  private static let keywords: [String: (String, Form)] = [
    "Title": ("dc:title", .alternatives), "Author": ("dc:creator", .sequence),
    "Description": ("dc:description", .alternatives), "Copyright": ("dc:rights", .alternatives),
    "Comment": ("exif:UserComment", .alternatives), "Software": ("xmp:CreatorTool", .text),
  ]

  /// The properties of IPTC data sets, and whether these are all.
  ///
  /// Source: IPTC Photo Metadata Standard 2023.2, IIM identifiers of the properties of IPTC Core.
  static func all(in resources: PhotoshopResources) -> (texts: [DescriptiveText], isComplete: Bool)
  {
    var values: [UInt8: [String]] = [:]
    for (number, data) in resources.applicationRecord {
      values[number, default: []].append(text(data))
    }
    // The version of the record.
    values[0] = nil
    var found: [DescriptiveText?] = []
    for (number, name, form) in dataSets {
      guard let text = DescriptiveText(name, form, values[number] ?? []) else { continue }
      found.append(text)
      values[number] = nil
    }
    for (day, time, name) in dates {
      guard values[day]?.count == 1, values[time]?.count ?? 1 == 1,
        let date = date(values[day]?.first, values[time]?.first)
      else { continue }
      found.append(DescriptiveText(name, .text, [date]))
      (values[day], values[time]) = (nil, nil)
    }
    return (found.compactMap { $0 }, values.isEmpty)
  }

  /// UTF-8, of which the last character may be cut off, or else Latin-1.
  private static func text(_ data: some BidirectionalCollection<UInt8>) -> String {
    for cut in 0...3 {
      if let text = String(validating: data.dropLast(cut), as: UTF8.self) { return text }
      // Only the start of a character may be missing its end.
      guard let byte = data.dropLast(cut).last, byte >= 0x80 else { break }
    }
    return String(latin1: data)
  }

  private static let dataSets: [(UInt8, String, Form)] = [
    (5, "dc:title", .alternatives), (10, "photoshop:Urgency", .text),
    (15, "photoshop:Category", .text), (20, "photoshop:SupplementalCategories", .bag),
    (25, "dc:subject", .bag), (40, "photoshop:Instructions", .text),
    (65, "xmp:CreatorTool", .text), (80, "dc:creator", .sequence),
    (85, "photoshop:AuthorsPosition", .text), (90, "photoshop:City", .text),
    (92, "Iptc4xmpCore:Location", .text), (95, "photoshop:State", .text),
    (100, "Iptc4xmpCore:CountryCode", .text), (101, "photoshop:Country", .text),
    (103, "photoshop:TransmissionReference", .text), (105, "photoshop:Headline", .text),
    (110, "photoshop:Credit", .text), (115, "photoshop:Source", .text),
    (116, "dc:rights", .alternatives), (120, "dc:description", .alternatives),
    (122, "photoshop:CaptionWriter", .text),
  ]

  private static let dates: [(UInt8, UInt8, String)] = [
    (55, 60, "photoshop:DateCreated"), (62, 63, "xmp:CreateDate"),
  ]

  fileprivate var isDate: Bool { Self.dates.contains { $0.2.hasSuffix(":\(property.local)") } }

  /// A date as `CCYYMMDD` with a time as `HHMMSS±HHMM` or `HHMMSS` in the form of XMP; `nil` for others.
  private static func date(_ date: String?, _ time: String?) -> String? {
    let (day, time) = (Array(date ?? ""), Array(time ?? ""))
    func isInRange(_ digits: ArraySlice<Character>, _ range: ClosedRange<Int>) -> Bool {
      digits.allSatisfy { ("0"..."9").contains($0) }
        && Int(String(digits)).map(range.contains) == true
    }
    // Unknown months and days are 00.
    guard day.count == 8, isInRange(day[..<4], 0...9999), isInRange(day[4..<6], 1...12),
      isInRange(day[6...], 1...31), [0, 6, 11].contains(time.count)
    else { return nil }
    let parts = [(0, 23), (2, 59), (4, 59), (7, 23), (9, 59)].prefix(time.count / 2)
    guard parts.allSatisfy({ isInRange(time[$0.0..<$0.0 + 2], 0...$0.1) }),
      time.count < 11 || ["+", "-"].contains(time[6])
    else { return nil }
    func pairs(_ digits: ArraySlice<Character>, _ separator: String) -> String {
      stride(from: digits.startIndex, to: digits.endIndex, by: 2)
        .map { String(digits[$0..<min($0 + 2, digits.endIndex)]) }.joined(separator: separator)
    }
    let text = "\(String(day[..<4]))-\(pairs(day[4...], "-"))"
    guard !time.isEmpty else { return text }
    let zone = time.count < 11 ? "" : "\(time[6])\(pairs(time[7...], ":"))"
    return "\(text)T\(pairs(time[..<6], ":"))\(zone)"
  }
}

extension String {
  /// Decodes ISO 8859-1, whose code values equal Unicode scalars.
  init(latin1 bytes: some Sequence<UInt8>) {
    self = String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
  }
}

extension XMPPacket {
  /// Adds those properties that the packet does not have, in a description of their own.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  mutating func add(_ texts: [DescriptiveText]) throws(ImageError) {
    var known: Set<XMPName> = []
    let new = texts.filter { known.insert($0.property).inserted && self[$0.property] == nil }
    guard let rdf, !rdf.isClosed, !new.isEmpty else { return }
    let about = descriptions.first?.attributes.first { $0.name == .rdf("about") }?.text ?? ""
    try replace(
      rdf.content.upperBound..<rdf.content.upperBound,
      with: "<rdf:Description xmlns:rdf=\"\(XMPName.rdfNamespace)\""
        + " rdf:about=\"\(XMLText.escape(about))\">\(new.map(\.element).joined())</rdf:Description>"
    )
  }

  /// Those of some texts that the properties have; IPTC may have truncated them, and does not store fractions of seconds.
  ///
  /// - Throws: `.limitExceeded` for the work.
  func found(in texts: [DescriptiveText]) throws(ImageError) -> Set<DescriptiveText> {
    var (present, found): ([XMPName: [String]], Set<DescriptiveText>) = ([:], [])
    for text in texts {
      let values =
        present[text.property]
        ?? (self[text.property]?.texts ?? []).map {
          text.isDate ? $0.replacing(/\.[0-9]+/, with: "") : $0
        }
      present[text.property] = values
      try Execution.current.budget.debit(steps: text.texts.count * values.count, for: "texts")
      if text.texts.allSatisfy({ text in values.contains { $0.hasPrefix(text) } }) {
        found.insert(text)
      }
    }
    return found
  }
}
