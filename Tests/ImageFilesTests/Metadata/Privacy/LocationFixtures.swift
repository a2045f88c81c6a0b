// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import ImageFiles

/// Metadata with a location, which must not occur in an edited file.
enum LocationFixtures {
  /// Seconds of the latitude, a value that does not occur elsewhere.
  static let seconds = hex("0BADCAFE 00C0FFEE")

  /// Exif with Make, orientation 6, and a GPS directory with version, latitude reference and
  /// latitude.
  static let exif =
    hex(
      """
      4D4D002A 00000008
      0003
      010F 0002 00000006 00000032
      0112 0003 00000001 00060000
      8825 0004 00000001 00000038
      00000000
      43616D6572 00
      0003
      0000 0001 00000004 02030000
      0001 0002 00000002 4E000000
      0002 0005 00000003 00000062
      00000000
      00000030 00000001 0000000F 00000001
      """) + seconds

  /// XMP with a format, and a location as attributes, elements, a structure and place names.
  static let xmp = JPEGFixtures.xmp(
    """
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
    tiff:Orientation="6" dc:format="image/x" exif:GPSLatitude="48,15.1234567N" \
    photoshop:City="Nowhereville"><exif:GPSAltitude>123/1</exif:GPSAltitude>\
    <Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li rdf:parseType="Resource">\
    <Iptc4xmpExt:City>Nowhereville</Iptc4xmpExt:City></rdf:li></rdf:Bag>\
    </Iptc4xmpExt:LocationCreated></rdf:Description>
    """)

  static let places = ["15.1234567", "Nowhereville", "GPSLat", "LocationCreated"]

  /// Returns whether bytes still contain the location.
  static func isShown(in bytes: [UInt8]) -> Bool {
    contains(bytes, seconds) || places.contains { contains(bytes, Array($0.utf8)) }
  }

  static func contains(_ bytes: [UInt8], _ sought: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(sought)) != nil
  }
}
