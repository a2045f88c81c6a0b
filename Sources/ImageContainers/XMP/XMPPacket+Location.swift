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
  /// Source: Exif 3.0 for XMP (CIPA DC-010), IPTC Photo Metadata Standard 2023.1, and properties
  /// written by drones and map services.
  fileprivate var isLocation: Bool {
    if let names = Self.locationNames[namespace] { return names.isEmpty || names.contains(local) }
    guard !isSyntax else { return false }
    let name = local.lowercased()
    return name.hasPrefix("gps") || Self.coordinates.contains { name.contains($0) }
  }

  /// `longtitude` is a misspelling used by a drone manufacturer.
  private static let coordinates = ["latitude", "longitude", "longtitude", "altitude"]

  /// Location properties by namespace; an empty set means all properties of the namespace.
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
