// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("DNG files") struct DNGFileTests {
  private static func parse(_ file: SyntheticDNG) throws -> DNGFile {
    try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
  }

  /// A preview with subdirectories.
  private static func file(_ directories: [SyntheticDNG.Directory]) -> SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 8, order: .bigEndian)
    file.main.entries[254] = .longs([1])
    file.main.entries[262] = .shorts([6])
    file.main.subdirectories = directories
    return file
  }

  private static func raw(
    _ width: Int, role: Int = 0, photometric: Int = 32_803
  ) -> SyntheticDNG.Directory {
    var directory = SyntheticDNG(width: width, height: 8).main
    directory.entries[254] = .longs([role])
    directory.entries[262] = .shorts([photometric])
    return directory
  }

  @Test("the raw image of the highest resolution is selected in any directory")
  func choice() throws {
    let file = try Self.parse(
      Self.file([Self.raw(9, role: 1), Self.raw(20), Self.raw(16, photometric: 2)]))
    #expect(file.raw.directoryPath == "IFD0/SubIFD 1" && file.raw.width == 20)
    #expect(file.images.count == 4 && file.rawType == .bayer)
    #expect(
      file.selectionReason.contains("2 raw images") && file.selectionReason.contains("20x8"))
    let enhanced = try Self.parse(
      Self.file([Self.raw(20), Self.raw(20, role: 16, photometric: 34_892)]))
    #expect(enhanced.raw.role == .enhanced && enhanced.rawType == .linear)
    #expect(enhanced.selectionReason.contains("enhanced"))
    let larger = try Self.parse(
      Self.file([Self.raw(20), Self.raw(40, role: 16, photometric: 34_892)]))
    #expect(larger.raw.role == .enhanced && larger.rawType == .linear)
  }

  /// NewSubFileType 16 is developed; `--image` selects the mosaic.
  @Test("an image is selected by number and name")
  func selection() throws {
    let bytes = Self.file(
      [Self.raw(20), Self.raw(20, role: 16, photometric: 34_892)]
    ).bytes
    func raw(_ image: OpeningOptions.ImageSelection?) throws -> DNGFile? {
      var options = OpeningOptions()
      options.image = image
      return try DNGFile.raw(ImageFile(parsing: ByteSource(bytes), options: options))
    }
    #expect(try raw(nil)?.raw.role == .enhanced)
    #expect(try raw(.number(1))?.raw.role == .raw)
    #expect(try raw(.number(2))?.raw.role == .enhanced)
    #expect(try raw(.name("IFD 0, SubIFD 0"))?.raw.role == .raw)
    let unknown = #expect(throws: ImageError.self) { try raw(.number(7)) }
    #expect(unknown?.code.id == "image/unknown")
    let preview = #expect(throws: ImageError.self) { try raw(.name("IFD 0")) }
    #expect(preview?.code.id == "raw/selection-not-raw")
  }

  /// DefaultUserCrop (51125): top, left, bottom and right as shares of the default crop.
  @Test("the crop of the photographer is applied within the default crop")
  func userCrop() throws {
    var file = SyntheticDNG(width: 64, height: 48)
    file.main.entries[50_719] = .longs([4, 2])
    file.main.entries[50_720] = .longs([40, 40])
    file.main.entries[51_125] = .rationals([0.25, 0.5, 0.75, 1])
    file.main.chunks = [[UInt8](repeating: 0, count: 64 * 48 * 2)]
    let dng = try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
    let cropped = try DevelopmentParameters(dng, limits: ImageLimits())
    #expect(cropped.crop == RawArea(x: 24, y: 12, width: 20, height: 20))
    let whole = try DevelopmentParameters(dng, limits: ImageLimits(), appliesUserCrop: false)
    #expect(whole.crop == RawArea(x: 4, y: 2, width: 40, height: 40))
    file.main.entries[51_125] = .rationals([0.75, 0.5, 0.25, 1])
    let wrong = try DevelopmentParameters(
      DNGFile(TIFFFile(parsing: ByteSource(file.bytes))), limits: ImageLimits())
    #expect(wrong.crop == whole.crop)
    #expect(!wrong.notices.isEmpty)
  }

  @Test("a file without a raw image is an error")
  func nothingRaw() throws {
    let error = #expect(throws: ImageError.self) { try Self.parse(Self.file([])) }
    #expect(error?.category == .malformed && error?.location.path == ["IFD0", "tag 262"])
  }

  @Test("linear images of Apple cameras are ProRAW")
  func proRAW() throws {
    var file = Self.file([Self.raw(20, photometric: 34_892)])
    file.main.entries[271] = .text("Apple")
    #expect(try Self.parse(file).rawType == .proRAW)
  }

  @Test("a newer version is an error with the version")
  func version() throws {
    var file = SyntheticDNG(width: 8, height: 8, version: [1, 9, 0, 0])
    file.main.entries[50_707] = .bytes([1, 4, 0, 0])
    #expect(try Self.parse(file).version.description == "1.9.0.0")
    file.main.entries[50_707] = .bytes([1, 8, 0, 0])
    let error = #expect(throws: ImageError.self) { try Self.parse(file) }
    #expect(error?.code.id == "raw/dng-version-unsupported")
    #expect(error?.parameters["version"] == .text("1.8.0.0"))
  }

  @Test("cyclic directories and too many directories are errors")
  func loops() throws {
    var bytes = Self.file([Self.raw(20)]).bytes
    let structure = try TIFFFile(parsing: ByteSource(bytes))
    let main = structure.directories[0]
    let entry = try #require(main[.subdirectories])
    // The offset of the first directory itself.
    bytes.replaceSubrange(entry.values, with: bytes[4..<8])
    let error = #expect(throws: ImageError.self) {
      try DNGFile(TIFFFile(parsing: ByteSource(bytes)))
    }
    #expect(error?.category == .malformed)
    let many = Self.file((0..<70).map { _ in Self.raw(20) })
    #expect(throws: ImageError.self) { try Self.parse(many) }
    var nested = Self.raw(20)
    for _ in 0..<70 {
      var outer = Self.raw(20)
      outer.subdirectories = [nested]
      nested = outer
    }
    let deep = #expect(throws: ImageError.self) { try Self.parse(Self.file([nested])) }
    #expect(deep?.category == .limitExceeded)
  }

  @Test("an unreadable directory is ignored")
  func brokenDirectory() throws {
    var file = Self.file([])
    file.main.subdirectories = []
    file.main.entries[254] = .longs([0])
    file.main.entries[262] = .shorts([32_803])
    file.main.entries[330] = .longs([1 << 24])
    let parsed = try Self.parse(file)
    #expect(parsed.images.count == 1 && parsed.notices.count == 1)
  }

  @Test("a preview with invalid tags is ignored; an invalid raw image is the error of the file")
  func invalidImages() throws {
    var preview = Self.raw(9, role: 1, photometric: 6)
    preview.entries[254] = .longs([])
    let parsed = try Self.parse(Self.file([preview, Self.raw(20)]))
    #expect(parsed.raw.width == 20)
    #expect(parsed.notices.map(\.code.english) == ["not readable: {cause}"])
    #expect(parsed.notices.first?.location.path == ["IFD0", "SubIFD 0"])
    var raw = Self.raw(20)
    raw.entries[262] = .longs([])
    let error = #expect(throws: ImageError.self) { try Self.parse(Self.file([raw])) }
    #expect(error?.code.english == "{field} has {count value}; 1 to {limit} are possible")
    #expect(error?.location.path == ["IFD0", "SubIFD 0", "tag 262"])
  }

  @Test("Bayer patterns in every phase", arguments: 0..<4)
  func phases(phase: Int) throws {
    var file = SyntheticDNG(width: 8, height: 8)
    var colors: [UInt8] = [1, 1, 1, 1]
    (colors[phase], colors[3 - phase]) = (0, 2)
    file.main.entries[33_422] = .bytes(colors)
    let bayer = try ColorFilterArray(Self.parse(file).raw.directory).bayer
    #expect(bayer == .init(redRow: phase / 2, redColumn: phase % 2))
    file.main.entries[33_422] = .bytes([0, 1, 2, 1])
    #expect(try Self.parse(file).rawType == .mosaic)
  }
}
