import Foundation
import HDRCore
import ImageCodecs

/// Peak memory of the command on 12-megapixel pictures, above what it needs for one row, and without
/// what the codecs need themselves: that is held against the goal.
///
/// Must run before this process grows: a new process starts with the peak of the one that made it.
/// So yet others write the pictures and run the encoders alone.
func measureConversions(command: String) throws -> [Measurement] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("benchmarks-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  func peak(_ arguments: String...) throws -> Double {
    Double(try peakMemory([CommandLine.arguments[0]] + arguments))
  }
  _ = try peak(ChildTask.writePictures.rawValue, folder.path)
  var encoders: [String: Double] = [:]
  for suffix in ["avif", "heic"] {
    encoders[suffix] =
      try peak(ChildTask.encodeLarge.rawValue, suffix)
      - peak(ChildTask.encodeSmall.rawValue, suffix)
  }
  return try conversions.map { from, to in
    func peak(_ size: PictureSize) throws -> Double {
      let input = folder.appendingPathComponent("\(size.rawValue).\(from)").path
      let output = folder.appendingPathComponent("out.\(to)").path
      return Double(
        try peakMemory([command, input, "-o", output, "--force", "--quiet", "--speed", "10"]))
    }
    let total = try (peak(.large) - peak(.small)) / Double(Scene.pixels)
    // An encoder alone has our planes beside its own; a decoder has its planes while they are read.
    let encoder = encoders[to].map { $0 / Double(Scene.pixels) - Scene.codedBytesPerPixel } ?? 0
    let decoder = encoders[from] == nil ? 0 : Scene.codedBytesPerPixel
    return Measurement(
      name: "memory \(from) -> \(to), total \(String(format: "%.1f", total))",
      value: total - max(encoder, decoder), unit: "bytes/pixel", goal: 10 * 1.048_576)
  }
}

/// Every output of OpenEXR, and every other input.
private let conversions =
  ["png", "tif", "exr", "avif", "heic"].map { (from: "exr", to: $0) }
  + ["tif", "png", "avif", "heic"].flatMap { [(from: $0, to: "png"), (from: $0, to: "exr")] }

/// What this program does when it is run for its memory, or beside such runs.
enum ChildTask: String {
  /// Takes a folder.
  case writePictures = "--write-pictures"
  /// Take a suffix.
  case encodeLarge = "--encode-large"
  case encodeSmall = "--encode-small"

  func run(_ argument: String) throws {
    switch self {
    case .writePictures: try write(into: URL(fileURLWithPath: argument))
    case .encodeLarge: try encode(Scene.coded(height: Scene.height), argument)
    case .encodeSmall: try encode(Scene.coded(height: 1), argument)
    }
  }

  private func encode(_ picture: PictureOutput, _ suffix: String) throws {
    _ = try picture.encoded(
      as: suffix == "avif" ? .avif : .heif, options: EncoderOptions(speed: 10, threads: 2))
  }

  private func write(into folder: URL) throws {
    let pq = CICP(primaries: .bt2020, transfer: .pq)
    for (size, height) in [(PictureSize.large, Scene.height), (.small, 1)] {
      func write(_ picture: PictureOutput, _ suffix: String, _ format: FileFormat) throws {
        let bytes = try picture.encoded(
          as: format, options: EncoderOptions(speed: 10, threads: 2))
        try Data(bytes).write(to: folder.appendingPathComponent("\(size.rawValue).\(suffix)"))
      }
      let light = Scene().image.strip(rows: 0..<height)
      try write(
        PictureOutput(image: light, cicp: CICP(primaries: .displayP3, transfer: .linear)), "exr",
        .exr)
      var format = light.format
      format.samples = .integer(bits: 16)
      let codes = PictureConversion(
        from: .init(format: light.format, encoding: Scene.linear),
        to: .init(format: format, encoding: ColorEncoding(primaries: .bt2020, transfer: .pq))
      ).run(light, threads: 2).image
      try write(PictureOutput(image: codes, cicp: pq), "png", .png)
      try write(PictureOutput(image: codes, cicp: pq), "tif", .tiff)
      try write(Scene.coded(height: height), "avif", .avif)
      try write(Scene.coded(height: height), "heic", .heif)
    }
  }
}

private enum PictureSize: String {
  case large
  case small
}

/// Runs a program to its end; its largest resident size in bytes.
private func peakMemory(_ arguments: [String]) throws -> Int {
  var process = pid_t()
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&process, arguments[0], nil, nil, &words, environ) == 0 else {
    throw ImageError(.missingInput, "cannot run \(arguments[0])")
  }
  var status: Int32 = 0
  var usage = rusage()
  wait4(process, &status, 0, &usage)
  guard status == 0 else {
    throw ImageError(.codecFailure, "\(arguments.joined(separator: " ")) failed")
  }
  #if os(Linux)
  return usage.ru_maxrss * 1024
  #else
  return usage.ru_maxrss
  #endif
}
