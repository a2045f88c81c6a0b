import Foundation
import HDRCore
import ImageCodecs
import ImageContainers

/// Real files that are not part of the repository.
///
/// The folder is that of the environment variable `HDR_CORPUS`, else `../shared/corpus` beside the
/// package. Tests that need it are skipped where it is missing.
enum Corpus {
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["HDR_CORPUS"] { return folder }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
  }()

  static let isThere = FileManager.default.fileExists(atPath: folder)

  /// Opens a file like `exr/oexr-t01.exr`.
  static func open(
    _ path: String, options: OpeningOptions = OpeningOptions()
  ) throws -> PictureDocument {
    try PictureDocument.open(ByteSource(path: "\(folder)/\(path)"), options: options)
  }

  /// Paths of all files in a folder of the corpus.
  static func files(in subfolder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)")
    return (names ?? []).sorted().map { "\(subfolder)/\($0)" }
  }
}

/// CRC-32 as in PNG and zlib.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF
  var value: UInt32 { ~state }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  mutating func add<T: FixedWidthInteger>(littleEndian value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) {
      let byte = UInt8(truncatingIfNeeded: value >> T(shift))
      state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }
  }
}

extension Picture {
  /// All samples, read in strips of `height` rows.
  func decode(stripHeight height: Int = 40) throws -> StoredImage {
    let reader = try makeReader()
    var integers: [[UInt16]] = Array(repeating: [], count: format.planeCount)
    var floats: [[Float]] = Array(repeating: [], count: format.planeCount)
    for first in stride(from: 0, to: format.height, by: height) {
      let strip = try reader.read(rows: first..<min(first + height, format.height))
      switch strip.planes {
      case .integer(let planes):
        for (index, plane) in planes.enumerated() { integers[index] += Array(plane.span) }
      case .float(let planes):
        for (index, plane) in planes.enumerated() { floats[index] += Array(plane.span) }
      }
    }
    func plane<Sample>(_ samples: [Sample], _ index: Int) -> Plane<Sample> {
      let size = format.planeSize(index)
      return Plane(width: size.width, height: size.height) { output in
        for sample in samples { output.append(sample) }
      }
    }
    let indices = 0..<format.planeCount
    if case .float = format.samples {
      return StoredImage(format: format, planes: .float(indices.map { plane(floats[$0], $0) }))
    }
    return StoredImage(format: format, planes: .integer(indices.map { plane(integers[$0], $0) }))
  }
}

extension StoredImage {
  /// CRC-32 of all samples, plane after plane, as little-endian 32-bit floats or 16-bit integers.
  var checksum: UInt32 {
    var crc = CRC32()
    switch planes {
    case .integer(let planes):
      for plane in planes {
        for index in plane.span.indices { crc.add(littleEndian: plane.span[index]) }
      }
    case .float(let planes):
      for plane in planes {
        for index in plane.span.indices { crc.add(littleEndian: plane.span[index].bitPattern) }
      }
    }
    return crc.value
  }

  /// The samples of one pixel of a picture without subsampling, as floats.
  func pixel(_ x: Int, _ y: Int) -> [Float] {
    switch planes {
    case .integer(let planes): planes.map { Float($0.row(y)[x]) }
    case .float(let planes): planes.map { $0.row(y)[x] }
    }
  }
}

extension Array {
  init(_ span: borrowing Span<Element>) where Element: BitwiseCopyable {
    self = []
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }
}
