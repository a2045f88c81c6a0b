import Foundation
import TestSupport

@testable import ImageContainers
@testable import ImageFiles

/// Metadata with a location that no byte of an edited file may show any more.
enum LocationFixtures {
  /// The seconds of the latitude, a number that occurs nowhere else.
  static let seconds = hex("0BADCAFE 00C0FFEE")

  /// A camera's name, a GPS directory with a version, a reference and degrees, and orientation 6.
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

  /// A title, and the place as attributes, as elements, in a structure, and as names.
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

  /// Whether bytes still show where the picture was taken.
  static func isShown(in bytes: [UInt8]) -> Bool {
    contains(bytes, seconds) || places.contains { contains(bytes, Array($0.utf8)) }
  }

  static func contains(_ bytes: [UInt8], _ sought: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(sought)) != nil
  }
}
