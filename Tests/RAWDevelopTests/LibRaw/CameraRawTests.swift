// SPDX-License-Identifier: Apache-2.0
#if RAW
@testable import HDRConversion
import HDRCore
@testable import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

/// Synthetic TIFF/EP files that LibRaw reads as files of Nikon cameras.
@Suite("Camera raw files") struct CameraRawTests {
  private static let neutral: [Double] = [0.5, 1, 0.625]
  private static let black = [510, 512, 514, 516]
  private static let white = 15_000

  /// LibRaw's matrix of the Nikon D5300 under D65.
  private static let matrix = [
    0.6988, -0.1384, -0.0714, -0.5631, 1.3410, 0.2447, -0.1485, 0.2204, 0.7318,
  ]

  /// A mosaic of `color`: red, green or blue (0...2) at a position, 0...1.
  private static func file(
    width: Int = 32, height: Int = 24, pattern: [UInt8] = [1, 0, 2, 1],
    model: String = "NIKON D5300", isDNG: Bool = false,
    color: (_ x: Int, _ y: Int, _ component: Int) -> Double
  ) -> SyntheticDNG {
    let side = pattern.count == 4 ? 2 : 6
    var file = SyntheticDNG(width: width, height: height)
    file.main.entries[33_421] = .shorts([side, side])
    file.main.entries[33_422] = .bytes(pattern)
    file.main.entries[50_713] = .shorts([2, 2])
    file.main.entries[50_714] = .shorts(black)
    file.main.entries[50_717] = .longs([white])
    file.main.entries[50_728] = .rationals(neutral)
    file.main.entries[50_729] = nil
    file.main.entries[50_721] = isDNG ? .signedRationals(matrix) : nil
    if !isDNG {
      file.main.entries[50_706] = nil
      file.main.entries[50_708] = nil
      file.main.entries[50_778] = nil
    }
    file.main.entries[271] = .text("NIKON CORPORATION")
    file.main.entries[272] = .text(model)
    file.main.entries[274] = .shorts([6])
    file.main.chunks = [
      (0..<width * height).flatMap { place in
        let (x, y) = (place % width, place / width)
        let component = Int(pattern[y % side * side + x % side])
        let low = Double(black[y % 2 * 2 + x % 2])
        let seen = color(x, y, component) * neutral[component]
        return file.number(Int(clamping: (low + seen * (Double(white) - 516)).rounded()), 2)
      }
    ]
    return file
  }

  private static func open(_ file: SyntheticDNG) throws -> DNGFile {
    try #require(try DNGFile.raw(ImageFile(parsing: ByteSource(file.bytes))))
  }

  /// LibRaw ends after a row once it is asked to, instead of decoding all samples.
  @Test func cancelledCall() throws {
    let source = ByteSource(Self.file(isDNG: true) { _, _, _ in 0.5 }.bytes)
    try LibRawFile(source, megabytes: 64).unpack()
    let cancelled = try LibRawFile(source, megabytes: 64)
    cancelled.cancel()
    #expect(throws: ImageError.self) { try cancelled.unpack() }
  }

  @Test("samples, levels, filters and colors are those of the file")
  func description() throws {
    let made = Self.file { x, y, component in Double(x + y + component) / 60 }
    let dng = try Self.open(made)
    #expect(dng.rawType == .bayer && dng.selectionReason.contains("32x24"))
    let expected = try DNGFile(
      TIFFFile(
        parsing: ByteSource(Self.file(isDNG: true) { x, y, c in Double(x + y + c) / 60 }.bytes)))
    #expect(try dng.decodeRaw().integers == expected.decodeRaw().integers)
    let parameters = try DevelopmentParameters(dng, limits: ImageLimits())
    #expect(parameters.levels.black.map { Int(clamping: $0) } == Self.black)
    #expect(parameters.levels.white == [Double(Self.white)])
    #expect(parameters.bayer == .init(redRow: 0, redColumn: 1))
    #expect(parameters.orientation == .rotated90)
    #expect(try dng.main.text(.model) == "NIKON D5300" || dng.main.text(.model) == "D5300")
  }

  @Test("the development equals that of the same image as DNG")
  func development() throws {
    func color(_ x: Int, _ y: Int, _ component: Int) -> Double {
      0.1 + 0.02 * Double(x) + 0.005 * Double(y) + 0.05 * Double(component)
    }
    let raw = try Self.file(color: color).document()
    let dng = try Self.file(isDNG: true, color: color).document()
    #expect(raw.format == .tiff && raw.image.orientation == dng.image.orientation)
    for (a, b) in zip(try raw.light().joined(), try dng.light().joined()) {
      for (left, right) in zip(a, b) { #expect(abs(left - right) < 2e-5) }
    }
    // Exif of the file itself.
    let exif = try ExifBlock(parsing: #require(raw.exif))
    #expect(try exif.text(.model) == "NIKON D5300")
  }

  /// LibRaw's interpolation begins at 512 pixels a side.
  @Test("X-Trans in DNG is demosaiced by LibRaw, with the color of the DNG")
  func xTrans() throws {
    let (width, height) = (540, 516)
    var file = Self.file(width: width, height: height, pattern: Self.xTransPattern, isDNG: true) {
      _, _, c in [0.5, 0.4, 0.3][c]
    }
    file.main.entries[50_730] = .signedRationals([1])
    #expect(try Self.open(file).rawType == .mosaic)
    // The same colors in all pixels.
    var linear = SyntheticDNG(width: 16, height: 16, planes: 3)
    for tag in [50_721, 50_728, 50_730] as [UInt16] {
      linear.main.entries[tag] = file.main.entries[tag]
    }
    linear.main.entries[50_729] = nil
    let seen = zip([0.5, 0.4, 0.3], Self.neutral).map {
      Int(clamping: ($0 * $1 * 65_535).rounded())
    }
    linear.main.chunks = [(0..<256).flatMap { _ in seen.flatMap { linear.number($0, 2) } }]
    let expected = try linear.document().light().map { $0[8][8] }
    for (plane, value) in zip(try file.document().light(stripHeight: 129), expected) {
      for y in stride(from: 20, to: height - 20, by: 37) {
        for x in stride(from: 20, to: width - 20, by: 41) {
          #expect(abs(plane[y][x] - value) < 2e-3)
        }
      }
    }
  }

  private static let xTransPattern: [UInt8] = [
    1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2,
    1, 2, 0, 1,
  ]

  @Test("X-Trans: crop, corners and white point of the file")
  func xTransTags() throws {
    var file = Self.file(width: 540, height: 516, pattern: Self.xTransPattern, isDNG: true) {
      _, _, c in [0.5, 0.4, 0.3][c]
    }
    for plane in try file.document().light() {
      for (x, y) in [(0, 0), (539, 0), (0, 515), (539, 515)] {
        #expect(abs(plane[y][x] - plane[200][200]) < 0.01)
      }
    }
    file.main.entries[50_719] = .longs([10, 20])
    file.main.entries[50_720] = .longs([500, 400])
    file.main.entries[50_728] = nil
    file.main.entries[50_729] = .rationals([0.3457, 0.3585])
    let document = try file.document()
    #expect((document.image.layout.width, document.image.layout.height) == (500, 400))
    #expect(document.notices.isEmpty)
  }

  @Test("X-Trans that is too small for LibRaw is an error")
  func smallXTrans() throws {
    let file = Self.file(width: 240, height: 120, pattern: Self.xTransPattern, isDNG: true) {
      _, _, _ in 0.3
    }
    let error = #expect(throws: ImageError.self) { try file.document() }
    #expect(error?.code.id == "raw/x-trans-too-small")
    #expect(error?.parameters["size"] == .dimensions(width: 240, height: 120))
  }

  @Test("an unspecified white point is daylight, with a notice")
  func unspecifiedWhite() throws {
    var file = Self.file { _, _, _ in 0.3 }
    file.main.entries[50_728] = nil
    #expect(
      try Self.open(file).notices.contains {
        $0.code.english == "assumed: daylight as white (not specified)"
      })
  }

  @Test("the primaries of BT.709 are assumed for unknown cameras, with a notice")
  func unknownCamera() throws {
    let file = Self.file(model: "NIKON UNKNOWN") { _, _, _ in 0.3 }
    #expect(try Self.open(file).notices.contains { $0.code.id == "raw/matrix-assumed" })
  }

  @Test("files that cannot be developed give typed errors")
  func refusals() throws {
    func error(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) -> ImageError? {
      do {
        _ = try DNGFile.raw(
          ImageFile(parsing: ByteSource(bytes), options: OpeningOptions(limits: limits)))
        return nil
      } catch { return error }
    }
    let file = Self.file { _, _, _ in 0.3 }
    let cut = error(Array(file.bytes.prefix(8)) + file.bytes.dropFirst(8 + 600))
    #expect(cut != nil)
    #expect(error(file.bytes, limits: ImageLimits(pixels: 100))?.category == .limitExceeded)
    let other = error(Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 0, count: 200))
    #expect(other?.code.id == "raw/libraw-unsupported")
    // Not a raw file.
    var rgb = Self.file { _, _, _ in 0.3 }
    rgb.main.entries[262] = .shorts([1])
    #expect(try DNGFile.raw(ImageFile(parsing: ByteSource(rgb.bytes))) == nil)
  }

  @Test("a file without samples is an error", arguments: [0, 20_000])
  func missingSamples(padding: Int) throws {
    // With padding, samples begin within the file, which has too few bytes for them.
    let bytes = PanasonicRaw.bytes(
      width: 3000, height: 2000, data: [UInt8](repeating: 7, count: padding))
    let file = try ImageFile(parsing: ByteSource(bytes))
    let error = #expect(throws: ImageError.self) { try DNGFile.raw(file) }
    #expect(error?.code.id == "raw/samples-missing" && error?.category == .truncated)
    #expect(try DNGFile.raw(file, decodes: false)?.raw.width == 3000)
  }

  /// LibRaw continues after samples out of range, and fails at the end of the file.
  @Test("warnings of LibRaw are notices") func warnings() throws {
    let bytes = PanasonicRaw.noise
    let file = try #require(try DNGFile.raw(ImageFile(parsing: ByteSource(bytes))))
    #expect(try file.decodeRaw().width == 140)
    let found = file.notices.filter { $0.code.id == "library-warned" }
    #expect(found.map { $0.parameters["library"] } == [.text("LibRaw")])
    #expect("\(found)".contains("samples out of range"))
    let cut = ByteSource(Array(bytes.prefix(8000)))
    let error = #expect(throws: ImageError.self) { try DNGFile.raw(ImageFile(parsing: cut)) }
    #expect(error?.code.id == "raw/libraw-truncated")
  }

  @Test(
    "raw files of the corpus, which have no samples, give typed errors",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      "exiftool-stub-350d.cr2", "exiftool-stub-d70.nef", "exiftool-stub-m50.cr3",
      "pentax-k3ii-cut.pef", "sony-a330-cut100k.arw",
    ])
  func stubs(name: String) throws {
    let source = try Corpus.source("raw/\(name)")
    let error = #expect(throws: ImageError.self) {
      try DNGFile.raw(ImageFile(parsing: source))
    }
    #expect(error.map { [.malformed, .truncated, .unsupported].contains($0.category) } == true)
    #expect(error?.parameters["library"] != nil)
  }
}
#endif
