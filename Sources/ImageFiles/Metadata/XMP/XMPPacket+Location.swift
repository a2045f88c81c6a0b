// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Platform

/// Location data of XMP.
extension XMPPacket {
  /// Whether the packet contains a location: as the name of a property, in a value, or in an image
  /// or other data in a value.
  ///
  /// - Throws: Errors that end the whole job, such as `.limitExceeded` for the work.
  package var hasLocation: Bool {
    get throws(ImageError) { try !searched(values: true).places.isEmpty }
  }

  /// Whether the name of a property is that of a location.
  var namesLocation: Bool {
    get throws(ImageError) { try !searched(values: false).places.isEmpty }
  }

  /// Names of properties with data that may contain a location and are not read.
  package var unreadParts: [String] {
    get throws(ImageError) { try searched(values: true).unread }
  }

  /// Names of properties that are not those of a location, and whose values have signs of one.
  package var textsWithLocation: [String] {
    get throws(ImageError) { try searched(values: true).texts }
  }

  /// Removes coordinates, place names, and values with signs of a location, at any depth.
  ///
  /// - Returns: Whether the packet contained any.
  /// - Throws: `.malformed` if the result cannot be parsed; errors that end the whole job.
  package mutating func removeLocation() throws(ImageError) -> Bool {
    let places = try searched(values: true).places
    guard !places.isEmpty else { return false }
    try removeAll(places)
    return true
  }

  /// Removes comments, processing instructions, and bytes around `rdf:RDF`, with signs of a
  /// location.
  ///
  /// - Returns: Whether the packet contained any.
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func removeLocationOutsideOfProperties() throws(ImageError) -> Bool {
    var edited = bytes
    if rdf == nil {
      if try LocationEvidence.isPresent(in: bytes) { edited = Self.empty }
    } else if let rdf,
      try LocationEvidence.isPresent(
        in: bytes[..<rdf.range.lowerBound] + [0x20] + bytes[rdf.range.upperBound...])
    {
      edited =
        Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">".utf8) + bytes[rdf.range]
        + Array("</x:xmpmeta>".utf8)
    }
    var kept: [UInt8] = []
    var start = 0
    while let part = Self.comment(in: edited[start...]) {
      kept += edited[start..<part.lowerBound]
      if try !LocationEvidence.isPresent(in: Array(edited[part])) { kept += edited[part] }
      start = part.upperBound
    }
    kept += edited[start...]
    guard kept != bytes else { return false }
    self = try XMPPacket(parsing: kept)
    return true
  }

  /// Range of the first comment or processing instruction.
  private static func comment(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var start = bytes.startIndex
    while let opening = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
      start = opening + 1
      for (first, last) in [("<!--", "-->"), ("<?", "?>")]
      where bytes[opening...].starts(with: first.utf8) {
        return bytes[start...].firstRange(of: Array(last.utf8)).map { opening..<$0.upperBound }
      }
    }
    return nil
  }

  private func searched(values: Bool) throws(ImageError) -> LocationSearch {
    var search = LocationSearch(searchesValues: values)
    // Some readers also find properties without `rdf:RDF`.
    for element in rdf == nil ? Array(tree.elements.prefix(1)) : descriptions {
      try collect(from: element, of: nil, into: &search)
    }
    return search
  }

  /// Searches the attributes and elements in an element, which is part of a property or contains them.
  private func collect(
    from element: XMLTree.Element, of property: XMPName?, into search: inout LocationSearch
  ) throws(ImageError) {
    for attribute in element.attributes where !attribute.isDeclaration {
      if try search.isLocation(attribute.name, attribute.text, of: property) {
        search.places.insert(attribute.range)
      }
    }
    for child in tree.children(of: element) {
      if try search.isLocation(child.name, child.text, of: property) {
        search.places.insert(child.range)
      } else {
        try collect(from: child, of: property ?? child.name, into: &search)
      }
    }
  }
}

/// Properties with a location, and those whose data are not read.
struct LocationSearch {
  let searchesValues: Bool
  /// Ranges of attributes and elements with a location.
  var places: Set<Range<Int>> = []
  /// Names of properties with data that are not read.
  private(set) var unread: [String] = []
  /// Names of properties whose values have signs of a location.
  private(set) var texts: [String] = []

  init(searchesValues: Bool) { self.searchesValues = searchesValues }

  mutating func isLocation(
    _ name: XMPName, _ value: String, of property: XMPName?
  ) throws(ImageError) -> Bool {
    if name.isLocation { return true }
    guard searchesValues else { return false }
    if try LocationEvidence.isPresent(in: Array(value.utf8)) {
      texts.append("XMP property \((property ?? name).local)")
      return true
    }
    guard let data = Self.decoded(value) else { return false }
    // The samples of an image are not searched.
    let image = try ifReadable(try JPEGImage(parsing: ByteSource(data)))
    let parts = image.map { image in
      image.segments.filter(\.isPrivate).flatMap(\.payload)
        + data[(image.stored?.upperBound ?? data.count)...]
    }
    if try LocationEvidence.isPresent(in: parts ?? data) { return true }
    if Self.isLong(data), parts?.isEmpty != true { unread.append("XMP property \(name.local)") }
    return false
  }

  /// Whether a text is data in Base64 that may contain metadata.
  static func isLongData(_ text: String) -> Bool { decoded(text).map(isLong) ?? false }

  /// Shorter data are digests and identifiers.
  private static func isLong(_ data: [UInt8]) -> Bool { data.count >= 192 }

  /// The data of a value in Base64, with line breaks and without padding as well; `nil` for other
  /// values, and for those that are too short for metadata.
  private static func decoded(_ text: String) -> [UInt8]? {
    var digits = text.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }
    // Words of a text are shorter than lines.
    guard text.utf8.count >= 64, (text.utf8.count - digits.count) * 16 <= text.utf8.count else {
      return nil
    }
    // One digit alone is less than a byte.
    if digits.count % 4 == 1 { digits.removeLast() }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: -digits.count & 3)
    return Data(base64Encoded: Data(digits + padding)).map(Array.init)
  }
}

extension XMPName {
  /// Whether the property describes the location of the camera or of the subject.
  ///
  /// Properties of any schema are recognized by the words in their names, since many applications
  /// have their own; those of the address of a creator are kept.
  ///
  /// Source: Exif 3.0 for XMP (CIPA DC-010), IPTC Photo Metadata Standard 2023.1, Dublin Core, and
  /// properties written by drones, map services and catalogs.
  var isLocation: Bool {
    if let names = Self.locationNames[namespace] { return names.isEmpty || names.contains(local) }
    guard !isSyntax else { return false }
    let name = local.lowercased()
    if Self.ambiguous.contains(name) { return Self.publishers.contains(where: namespace.hasPrefix) }
    return Self.isPlace(name)
  }

  /// Whether a name of metadata, in any spelling and with any prefix, is one of coordinates or places.
  static func isLocation(keyword: String) -> Bool {
    let name = keyword.lowercased().split(separator: ":").last ?? ""
    let letters = String(name.filter(\.isLetter))
    return ambiguous.contains(letters) || isPlace(letters)
      || ["places", "address", "sublocation"].contains(letters)
  }

  private static func isPlace(_ name: String) -> Bool {
    // SubjectLocation of Exif is a position in the image.
    guard name != "subjectlocation" else { return false }
    if places.contains(name) { return true }
    let letters = Array(name.utf8)
    return letters.indices.contains { start in
      words.contains { letters[start...].starts(with: $0) }
    }
  }

  /// Words in the names of coordinates and places.
  ///
  /// `longtitude` is a misspelling used by a drone manufacturer.
  private static let words = [
    "gps", "latitude", "longitude", "longtitude", "altitude", "location", "geotag", "landmark",
    "targetlat", "targetlon", "latlng", "geopoint", "coordinates", "locality", "stateprovince",
    "streetaddress", "addressregion", "addresscountry", "postalcode",
  ].map { Array($0.utf8) }
  /// Names of places.
  private static let places: Set<String> = [
    "countrycode", "countryname", "provincestate", "placename", "worldregion", "geohash", "lat",
    "lon", "lng", "coords", "highergeography", "continent", "island", "islandgroup", "waterbody",
    "footprintwkt", "spatialcoverage",
  ]
  /// Names of places in the schemas of photography, which may mean something else in private ones.
  private static let ambiguous: Set<String> = [
    "location", "city", "state", "country", "province", "county", "locality", "municipality",
    "coverage", "spatial", "place", "venue", "geo",
  ]
  /// First parts of the namespaces of those who publish such schemas: applications, PRISM, Dublin
  /// Core, IPTC, Darwin Core, MWG and others.
  private static let publishers = [
    "http://ns.", "https://ns.", "http://prismstandard.org/", "http://purl.org/",
    "http://iptc.org/", "http://www.digikam.org/", "http://rs.tdwg.org/",
    "http://www.metadataworkinggroup.com/", "http://xmp.gettyimages.com/", "http://schema.org/",
    "https://schema.org/", "http://www.extensis.com/", "http://www.cipa.jp/",
  ]

  /// Location properties by namespace; an empty set means all properties of the namespace.
  ///
  /// Only these are removed from the schemas, which have other properties with such words.
  private static let locationNames: [String: Set<String>] = [
    "http://www.w3.org/2003/01/geo/wgs84_pos#": [],
    "http://www.georss.org/georss": [], "http://www.opengis.net/gml": [],
    "http://ns.adobe.com/photoshop/1.0/": ["City", "State", "Country"],
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": ["Location", "CountryCode"],
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": [
      "LocationCreated", "LocationShown", "LocationId", "LocationName", "Sublocation", "City",
      "ProvinceState", "CountryName", "CountryCode", "WorldRegion",
    ],
  ]
}
