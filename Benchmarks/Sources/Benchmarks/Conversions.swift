// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageFiles

/// Peak memory of the command, above what it needs for one row, and without what the codecs need
/// themselves: that is held against the goal.
///
/// Must run before this process grows: a new process starts with the peak of the one that made it.
/// So yet others write the images and run the encoders alone.
func measureConversions(command: String) throws -> [Measurement] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("benchmarks-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  func peak(_ arguments: String...) throws -> Double {
    Double(try peakMemory([CommandLine.arguments[0]] + arguments))
  }
  _ = try peak(ChildTask.writeImages.rawValue, folder.path)
  var encoders: [EncoderCase: Double] = [:]
  for encoder in EncoderCase.all {
    let bytes =
      try peak(ChildTask.encodeLarge.rawValue, encoder.name)
      - peak(ChildTask.encodeSmall.rawValue, encoder.name)
    // An encoder alone has our planes in addition to its own.
    encoders[encoder] =
      bytes / Double(encoder.size.pixels) - Scene.codedBytesPerPixel(encoder.chroma)
  }
  let mosaic = try measureRawMemory(
    command: command, folder: folder,
    encoderBytesPerPixel: encoders[EncoderCase(suffix: "avif")] ?? 0)
  let conversions = try ConversionCase.all.map { conversion in
    func peak(_ size: ImageSize) throws -> Double {
      let input = folder.appendingPathComponent("\(size.rawValue).\(conversion.from)").path
      let output = folder.appendingPathComponent("out.\(conversion.to)").path
      return Double(
        try peakMemory(
          [command, input, "-o", output, "--force", "--quiet", "--speed", "10"]
            + conversion.options))
    }
    let total = try (peak(conversion.size) - peak(.small)) / Double(conversion.size.pixels)
    let encoder = conversion.encoder.flatMap { encoders[$0] } ?? 0
    return Measurement(
      name: "memory \(conversion.name), total \(String(format: "%.1f", total))",
      value: total - max(encoder, conversion.decoderBytesPerPixel), unit: "bytes/pixel",
      goal: 10 * 1.048_576)
  }
  return [mosaic] + conversions
}

/// A kind of image for encoders alone.
struct EncoderCase: Hashable {
  var suffix: String
  var chroma = ChromaSubsampling.yuv444
  var size = ImageSize.large

  static let all =
    ["avif", "heic"].flatMap { suffix in
      [
        EncoderCase(suffix: suffix), EncoderCase(suffix: suffix, chroma: .yuv420),
        EncoderCase(suffix: suffix, size: .grid),
      ]
    }

  var name: String { "\(suffix) \(chroma.rawValue) \(size.rawValue)" }

  func encode(height: Int) throws {
    _ = try Scene.coded(width: size.width, height: height, chroma: chroma).encoded(
      as: suffix == "avif" ? .avif : .heif, options: EncoderOptions(speed: 10))
  }
}

/// A file to convert, and into what.
private struct ConversionCase {
  var from: String
  var to: String
  var options: [String] = []
  var size = ImageSize.large

  /// Every output of OpenEXR, every other input, rotated images, samples that are large,
  /// and grids.
  static let all =
    ["png", "tif", "exr", "avif", "heic"].map { ConversionCase(from: "exr", to: $0) }
    + ["tif", "png", "avif", "heic"].flatMap { from in
      ["png", "exr"].map { ConversionCase(from: from, to: $0) }
    }
    + ["png", "exr", "avif", "heic"].map {
      ConversionCase(from: "rotated.png", to: $0, options: bake)
    }
    + ["avif", "heic"].map {
      ConversionCase(from: "rotated.png", to: $0, options: bake + ["--yuv", "420"])
    }
    + ["exr", "rotated.png"].map {
      ConversionCase(from: $0, to: "exr", options: bake + ["--lossless"])
    }
    + ["avif", "heic"].flatMap { suffix in
      [
        ConversionCase(from: suffix, to: "png", size: .grid),
        ConversionCase(from: "png", to: suffix, size: .grid),
      ]
    }

  private static let bake = ["--set", "orientation=bake"]

  var name: String {
    (["\(size == .grid ? "40 megapixels " : "")\(from) -> \(to)"] + options.filter { $0 != "--yuv" })
      .joined(separator: " ")
  }

  var encoder: EncoderCase? {
    guard to == "avif" || to == "heic" else { return nil }
    return EncoderCase(
      suffix: to, chroma: options.contains("420") ? .yuv420 : .yuv444, size: size)
  }

  /// A decoder of whole images has its planes while they are read; of a grid, those of a tile for
  /// each of two threads.
  var decoderBytesPerPixel: Double {
    ["avif", "heic"].contains(from) ? Scene.codedBytesPerPixel(.yuv444) : 0
  }
}

/// Task of this program when it is run to measure memory, or to prepare such runs.
enum ChildTask: String {
  /// Take a folder.
  case writeImages = "--write-images"
  case writeGainMaps = "--write-gain-maps"
  case writeRenditions = "--write-renditions"
  /// Take the name of a case.
  case encodeLarge = "--encode-large"
  case encodeSmall = "--encode-small"
  /// Take a folder, and the name of a file.
  case writeRawFile = "--write-raw-file"
  case writeLargeMosaic = "--write-large-mosaic"

  func run(_ argument: String) throws {
    let encoder = EncoderCase.all.first { $0.name == argument }
    switch self {
    case .writeImages: try write(into: URL(fileURLWithPath: argument))
    case .writeGainMaps: try writeGainMapFiles(into: URL(fileURLWithPath: argument))
    case .writeRenditions: try writeRenditionImage(into: URL(fileURLWithPath: argument))
    case .encodeLarge: try encoder?.encode(height: encoder?.size.height ?? 1)
    case .encodeSmall: try encoder?.encode(height: 1)
    case .writeRawFile: try writeMosaic(into: URL(fileURLWithPath: argument))
    case .writeLargeMosaic:
      try Data(BayerFile(width: 6000, height: 4000).bytes)
        .write(to: URL(fileURLWithPath: argument))
    }
  }

  private func write(into folder: URL) throws {
    let scene = try Scene().image
    for size in [ImageSize.large, .small] {
      let writer = ImageFileWriter(folder: folder, size: size)
      let strip = try scene.makeReader().read(rows: 0..<size.height)
      let light = try Image(
        ImageDescription(layout: strip.layout, color: Scene.linear), planes: strip.planes)
      try writer.write(OutputImage(light), "exr", .exr)
      var format = light.layout
      format.samples = .integer(bits: 16)
      var output = OutputImage(
        try light.transformed(
          to: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
          execution: Execution(threads: 2)))
      try writer.write(output, "png", .png)
      try writer.write(output, "tif", .tiff)
      output.image.orientation = .rotated90
      try writer.write(output, "rotated.png", .png)
    }
    for size in [ImageSize.large, .small, .grid] {
      let writer = ImageFileWriter(folder: folder, size: size)
      var output = try Scene.coded(width: size.width, height: size.height)
      try writer.write(output, "avif", .avif)
      try writer.write(output, "heic", .heif)
      guard size == .grid else { continue }
      // Codes are codes.
      var format = output.image.layout
      format.components = .rgb
      output.image = try Image(
        ImageDescription(
          layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
        planes: output.image.planes().planes)
      try writer.write(output, "png", .png)
    }
  }
}

/// Writes images of one size.
private struct ImageFileWriter {
  var folder: URL
  var size: ImageSize

  func write(_ image: OutputImage, _ suffix: String, _ format: FileFormat) throws {
    let bytes = try image.encoded(as: format, options: EncoderOptions(speed: 10))
    try Data(bytes).write(to: folder.appendingPathComponent("\(size.rawValue).\(suffix)"))
  }
}

enum ImageSize: String {
  case large
  case small
  case grid

  var width: Int { self == .grid ? Scene.grid.width : Scene.width }

  var height: Int {
    switch self {
    case .large: Scene.height
    case .small: 1
    case .grid: Scene.grid.height
    }
  }

  var pixels: Int { width * height }
}

/// Runs a program to its end; its largest resident size in bytes.
func peakMemory(_ arguments: [String]) throws -> Int {
  var process = pid_t()
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&process, arguments[0], nil, nil, &words, environ) == 0 else {
    throw ImageError(ErrorCode("benchmark", .missingInput, "cannot run \(arguments[0])"))
  }
  var status: Int32 = 0
  var usage = rusage()
  wait4(process, &status, 0, &usage)
  guard status == 0 else {
    throw ImageError(
      ErrorCode("benchmark", .codecFailure, "\(arguments.joined(separator: " ")) failed"))
  }
  #if os(Linux)
  return usage.ru_maxrss * 1024
  #else
  return usage.ru_maxrss
  #endif
}
