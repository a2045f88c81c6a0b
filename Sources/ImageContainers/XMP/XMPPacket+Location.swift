// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Location data of XMP.
extension XMPPacket {
  /// Whether the packet contains a location.
  public var hasLocation: Bool { !locationPlaces.isEmpty }

  /// Removes coordinates and place names at any depth.
  ///
  /// - Returns: Whether the packet contained any.
  /// - Throws: `.malformed` if the result cannot be parsed.
  public mutating func removeLocation() throws(ImageError) -> Bool {
    let places = locationPlaces
    guard !places.isEmpty else { return false }
    try removeAll(places)
    return true
  }

  /// Removes comments, and bytes around `rdf:RDF`, with signs of a location.
  ///
  /// - Returns: Whether the packet contained any.
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func removeLocationOutsideOfProperties() throws(ImageError) -> Bool {
    var edited = bytes
    if let rdf,
      try LocationEvidence.isPresent(
        in: bytes[..<rdf.range.lowerBound] + [0x20] + bytes[rdf.range.upperBound...])
    {
      edited =
        Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">".utf8) + bytes[rdf.range]
        + Array("</x:xmpmeta>".utf8)
    }
    var kept: [UInt8] = []
    var start = 0
    while let opening = edited[start...].firstRange(of: Array("<!--".utf8)),
      let closing = edited[opening.upperBound...].firstRange(of: Array("-->".utf8))
    {
      let comment = Array(edited[opening.lowerBound..<closing.upperBound])
      kept += edited[start..<opening.lowerBound]
      if try !LocationEvidence.isPresent(in: comment) { kept += comment }
      start = closing.upperBound
    }
    kept += edited[start...]
    guard kept != bytes else { return false }
    self = try XMPPacket(parsing: kept)
    return true
  }

  private var locationPlaces: Set<Range<Int>> {
    var places: Set<Range<Int>> = []
    for description in descriptions { collect(from: description, into: &places) }
    return places
  }

  private func collect(from element: XMLTree.Element, into places: inout Set<Range<Int>>) {
    for attribute in element.attributes where !attribute.isDeclaration && attribute.name.isLocation
    { places.insert(attribute.range) }
    for child in tree.children(of: element) {
      if child.name.isLocation {
        places.insert(child.range)
      } else {
        collect(from: child, into: &places)
      }
    }
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
    guard !isSyntax, !XMPPacket.structuralNamespaces.contains(namespace) else { return false }
    let name = local.lowercased()
    // SubjectLocation of Exif is a position in the image.
    guard name != "subjectlocation" else { return false }
    if Self.ambiguous.contains(name) { return Self.publishers.contains(where: namespace.hasPrefix) }
    return Self.places.contains(name) || Self.words.contains { name.contains($0) }
  }

  /// Words in the names of coordinates and places.
  ///
  /// `longtitude` is a misspelling used by a drone manufacturer.
  private static let words = [
    "gps", "latitude", "longitude", "longtitude", "altitude", "location", "geotag", "landmark",
  ]
  /// Names of places.
  private static let places: Set<String> = [
    "countrycode", "countryname", "provincestate", "placename", "worldregion", "geohash",
  ]
  /// Names of places in the schemas of photography, which may mean something else in private ones.
  private static let ambiguous: Set<String> = [
    "location", "city", "country", "province", "county", "locality", "municipality", "coordinates",
    "coverage", "spatial",
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
    "http://ns.adobe.com/photoshop/1.0/": ["City", "State", "Country"],
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": ["Location", "CountryCode"],
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": [
      "LocationCreated", "LocationShown", "LocationId", "LocationName", "Sublocation", "City",
      "ProvinceState", "CountryName", "CountryCode", "WorldRegion",
    ],
  ]
}
