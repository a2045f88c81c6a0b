// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageFiles
import RAWDevelop

/// A mosaic of 12 megapixels, from the bytes of a file in memory to samples, and to light in memory.
func measureRawFiles() throws -> [Measurement] {
  let file = BayerFile(width: Scene.width, height: Scene.height).bytes
  let source = ByteSource(file)
  var development = RawDevelopment()
  development.isSceneLinear = true
  var results = try measure("raw lossless JPEG tiles -> samples", bytes: 2, goal: nil) {
    () throws(ImageError) in
    _ = try DNGFile(parsing: source).decodeRaw()
  }
  for (name, factor) in [("", 1), (", half as wide", 0.5)] {
    development.scaleFactor = factor
    let chosen = development
    results += try measure("raw Bayer DNG -> linear light\(name)", bytes: 14, goal: nil) {
      () throws(ImageError) in
      let image = try SourceImage.open(
        source, options: OpeningOptions(), developing: chosen
      ).image
      let reader = try image.makeReader()
      // The number of rows that conversions ask for.
      for first in stride(from: 0, to: image.layout.height, by: 128) {
        _ = try reader.read(rows: first..<min(first + 128, image.layout.height))
      }
    }
  }
  // The usual unit of lossless JPEG: megabytes of samples in a second.
  let rate = results.filter { $0.name.hasPrefix("raw lossless") && !$0.name.hasSuffix("cores") }
    .map {
      Measurement(name: "\($0.name), samples", value: 2000 / $0.value, unit: "MB/s")
    }
  return results + rate
}

/// Writes the file that `measureRawFiles` develops.
func writeMosaic(into folder: URL) throws {
  try Data(BayerFile(width: Scene.width, height: Scene.height).bytes)
    .write(to: folder.appendingPathComponent("bayer.dng"))
}

/// Peak memory of the command in addition to the encoder, for a mosaic of 24 megapixels to PQ as AVIF.
///
/// - Parameters:
///   - command: Its path.
///   - folder: For the images.
///   - encoderBytesPerPixel: Memory of the encoder alone.
/// - Returns: Memory of the rest.
/// - Throws: If a program cannot be run, or fails.
func measureRawMemory(
  command: String, folder: URL, encoderBytesPerPixel: Double
) throws -> Measurement {
  let size = (width: 6000, height: 4000)
  let input = folder.appendingPathComponent("large.dng").path
  _ = try peakMemory([CommandLine.arguments[0], ChildTask.writeLargeMosaic.rawValue, input])
  let output = folder.appendingPathComponent("out.avif").path
  let total = Double(
    try peakMemory([command, input, "-o", output, "--force", "--quiet", "--speed", "10"]))
  let own = total - encoderBytesPerPixel * Double(size.width * size.height)
  return Measurement(
    name: "memory 24 megapixels dng -> avif, total \(Int(total / 1_048_576)) MiB",
    value: own / 1_048_576, unit: "MiB", goal: 400)
}
