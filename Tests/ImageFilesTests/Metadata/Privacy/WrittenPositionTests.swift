// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ImageFiles

@Suite("Positions in texts") struct WrittenPositionTests {
  @Test(arguments: [
    "48.8577, 2.2950", "geo:48.8577,2.2950", "geo:48.9,2.3;u=35", "-33.8568;151.2153",
    "https://www.google.com/maps?q=48.85,2.29", "https://example.com/@48.85,2.29,17z",
    "https://www.openstreetmap.org/#map=17/48.8/2.3", "mlat=48.8577&mlon=2.2950",
    "https://example.com/?q=48.8577%2C2.2950", "POINT(2.2950 48.8577)", "lat 5.6037, lon -0.1870",
    "{\"lat\":48.8577,\"lng\":2.2950}", "6.5244, 3.3792, 35", "at 48.8577N 2.2950E.",
    "2.2950,48.8577,0 2.2951,48.8578,0", "48°51'27.7\"N 2°17'42\"E", "48°51′N 2°21′E",
    "48 deg 51' 27.70\" N, 2 deg 17' 42.00\" E", "48d51'27\"N", "48.85° N, 2.29° E",
    "N 48° 51.462' E 002° 17.700'", "https://maps.app.goo.gl/abc", "1.2345, 2.3456 m",
    "48.858, 2.294", "48.8577, 2.2950, 35.2", "48,8577; 2,2950", "48 51 27.7 N, 2 17 42.0 E",
    "48:51:27.7N 2:17:42E", "48,51.4620N 2,17.7000E",
  ]) func position(text: String) throws {
    #expect(try LocationEvidence.isPresent(in: Array(text.utf8)))
    let units = Array(text.utf16)
    #expect(
      try LocationEvidence.isPresent(in: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }))
    #expect(
      try LocationEvidence.isPresent(in: units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }))
    // Exif also has UTF-16, whose zeros are skipped, and Latin-1.
    let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    if latin.count == text.unicodeScalars.count {
      #expect(try LocationEvidence.isPresent(in: latin))
    }
  }

  /// Numbers in texts of cameras and editors.
  @Test(arguments: [
    "12.1.2, 3.4.5", "RF24-70mm F2.8 L IS USM", "24.000-70.000mm", "1.234.567, 3.456",
    "iPhone 15 Pro back triple camera 6.765mm f/1.78", "2024:01:02 12:30:45.123", "84° 20'",
    "20.5° C", "84° Super wide", "0.532000 0.345600", "192.168.10.12, 10.0.0.1", "3d 5' N",
    "1.000000,0.000000,0.000000,0.000000,1.000000,0.000000", "2.200, 1.234, 3.100, 2.200",
    "3.621681, 0.373549, 0.352811, 0.000000", "centerX = 1.290216, centerY = 2.800115",
    "Adobe Photoshop 25.4.0 (20240301.m.2532 abc)", "temperature: 37.125", "200.125, 100.250",
    "© OpenStreetMap contributors", "XYZ 41.240 35.760 18.050", "Lab 50.123 12.345 -30.456",
    "took 2d 5m, 1d 3m",
    "1,000,000", "12,5 mm; 2,8", "iso 100, 2 12.5 Watt",
  ]) func otherNumbers(text: String) throws {
    #expect(try !LocationEvidence.isPresent(in: Array(text.utf8)))
  }
}
