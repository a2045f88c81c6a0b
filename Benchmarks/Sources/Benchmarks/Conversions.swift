import Foundation
import HDRCore
import ImageCodecs

/// Peak memory of the command on a 12-megapixel OpenEXR picture, above what it needs for one row.
///
/// For AVIF and HEIF most of it is the encoder's own. Must run before this process grows: a new
/// process starts with the peak of the one that made it. So yet another writes the pictures.
func measureConversions(command: String) throws -> [Measurement] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("benchmarks-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  _ = try peakMemory([CommandLine.arguments[0], writeScene, folder.path])
  return try ["png", "tif", "exr", "avif", "heic"].map { suffix in
    let output = folder.appendingPathComponent("out.\(suffix)").path
    func peak(_ input: String) throws -> Int {
      let input = folder.appendingPathComponent(input).path
      return try peakMemory(
        [command, input, "-o", output, "--force", "--quiet", "--speed", "10"])
    }
    let bytes = try peak(largePicture) - peak(smallPicture)
    return Measurement(
      name: "memory OpenEXR -> \(suffix)", value: Double(bytes) / Double(Scene.pixels),
      unit: "bytes/pixel")
  }
}

/// The argument with which this program only writes the pictures to convert.
let writeScene = "--write-scene"
private let largePicture = "large.exr"
private let smallPicture = "small.exr"

/// Writes the pictures to convert into a folder.
func writePictures(into folder: String) throws {
  let scene = Scene()
  for (name, image) in [
    (largePicture, scene.image), (smallPicture, scene.image.strip(rows: 0..<1)),
  ] {
    let picture = PictureOutput(
      image: image, cicp: CICP(primaries: .displayP3, transfer: .linear))
    let bytes = try picture.encoded(as: .exr, options: EncoderOptions(threads: 2))
    try Data(bytes).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
  }
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
