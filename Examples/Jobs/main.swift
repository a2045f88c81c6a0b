// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// Runs every example on the reference images and checks what it makes.
let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: Examples reference-images OUT\n".utf8))
  exit(64)
}
let (images, output) = (arguments[0], arguments[1])
try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)

func write(_ bytes: [UInt8], _ name: String) throws -> Data {
  let data = Data(bytes)
  try data.write(to: output.appendingPathComponent(name))
  return data
}

func check(_ condition: Bool, _ expectation: String) {
  print(condition ? "passed: \(expectation)" : "FAILED: \(expectation)")
  if !condition { exit(1) }
}

func path(_ name: String, in folder: URL = output) -> String {
  folder.appendingPathComponent(name).path
}

let photo = try Data(contentsOf: images.appendingPathComponent("photo.exr"))
let image = try write(try avif(from: photo), "photo.avif")
check(try summary(of: image).contains("HDR true"), "an EXR becomes a PQ AVIF")

for name in ["gain-map-apple.heic", "gain-map-iso-xmp.jpg"] {
  let source = try Data(contentsOf: images.appendingPathComponent("containers/\(name)"))
  let expanded = try write(try avif(from: source), "\(name).avif")
  check(try summary(of: expanded).contains("HDR true"), "\(name) becomes a PQ AVIF")
  let levels = try await lightLevels(of: expanded)
  check(levels.contentLightLevel.maximum > 203, "the gain map of \(name) is applied")
}

let apple = path("containers/gain-map-apple.heic", in: images)
try writeForWeb(apple, to: path("web.jpg"))
let web = try Data(contentsOf: output.appendingPathComponent("web.jpg"))
check(try summary(of: web).hasPrefix("jpeg"), "a HEIC becomes a JPEG")
check(try summary(of: web).contains("HDR true"), "with its gain map")
check(
  try decisions(about: apple, ConversionRequest(format: .jpeg)).contains {
    $0.hasPrefix("gain map: re-encode")
  }, "a plan lists the gain map")

let dim = try write(try rendition(of: image, headroom: Headroom(ratio: 2)), "2x.avif")
check(
  try await lightLevels(of: dim).contentLightLevel.maximum < 2.5 * 203,
  "a rendition is as bright as the display")

try develop(
  path("faults/valid-dng.dng", in: images), temperature: 5200, exposure: 1, to: path("raw.avif"))
let developed = try Data(contentsOf: output.appendingPathComponent("raw.avif"))
check(try summary(of: developed).contains("HDR true"), "a DNG is developed in HDR")

let (width, height) = (256, 128)
let ramp = (0..<height).flatMap { _ in
  (0..<width).flatMap { x in [Float](repeating: Float(x) / Float(width - 1) * 4, count: 3) }
}
for format in [FileFormat.png, .avif] {
  let file = try write(
    try pqFile(format, of: ramp, width: width, height: height), "ramp.\(format.rawValue)")
  check(try summary(of: file).contains("MaxCLL 812"), "floats become PQ \(format) with MaxCLL")
  check(try violations(in: file).isEmpty, "the PQ \(format) conforms")
}

let standard = ramp.map { UInt8(min(max(255 * pow($0 / 4, 1 / 2.2), 0), 255)) }
let ultra = try write(
  try ultraHDR(sdr: standard, hdr: ramp, width: width, height: height), "ramp.jpg")
check(try summary(of: ultra).contains("HDR true"), "two renditions become an Ultra HDR JPEG")

let scene = path("photo.exr", in: images)
try ImageFile(path: scene).convert(to: path("sdr.png"), ConversionRequest(content: .sdr))
try writeUltraHDR(scene, sdr: path("sdr.png"), to: path("pair.jpg"))
let pair = try Data(contentsOf: output.appendingPathComponent("pair.jpg"))
check(try summary(of: pair).contains("HDR true"), "two files become an Ultra HDR JPEG")

let large = try write(
  try ultraHDR(
    sdr: [UInt8](repeating: 128, count: 3 * 2048 * 1024),
    hdr: (0..<3 * 2048 * 1024).map { Float($0 % 2048) / 512 }, width: 2048, height: 1024),
  "large.jpg")
let small = try write(try thumbnail(of: large), "thumbnail.jpg")
check(try summary(of: small).hasPrefix("jpeg 1024x512, HDR true"), "thumbnails keep the gain map")
check(
  try summary(of: Data(thumbnail(of: ultra))).hasPrefix("jpeg 256x128, HDR true"),
  "small images are not enlarged")

let fault = try Data(contentsOf: images.appendingPathComponent("faults/png-chunk-order.png"))
check(
  try violations(in: fault).contains { $0.hasPrefix("png/chunk-order:") },
  "a violation is found")

let tagged = try settingDiffuseWhite(250, in: image)
check(
  try ImageFile(parsing: ByteSource(tagged)).contents().primary.light.diffuseWhite == 250,
  "diffuse white is edited without decoding")

let dark = try write(try halved(image), "halved.png")
let (before, after) = (try await lightLevels(of: image), try await lightLevels(of: dark))
check(
  abs(after.contentLightLevel.maximum / before.contentLightLevel.maximum - 0.5) < 0.02,
  "linear values are changed and written")

let bright = try write(try rendition(of: image, peakLuminance: 600), "600.png")
check(
  try await lightLevels(of: bright).contentLightLevel.maximum < 601,
  "a rendition is at most as bright as a display of 600 cd/m²")

let shown = try buffers(of: image, headroom: Headroom(ratio: 3))
let count = try SourceImage.open(ByteSource(image)).image.layout
check(
  shown.pq.count == 4 * count.width * count.height
    && shown.linear.count == 6 * count.width * count.height,
  "a rendition is read as PQ of 10 bits and as half floats")

let halves = ramp.map { Float16($0).bitPattern }
for (file, name) in zip(
  try files(ofHalfFloats: halves, width: width, height: height), ["avif", "png", "jpg"])
{
  let data = try write(file, "half.\(name)")
  check(try summary(of: data).contains("HDR true"), "half floats become an HDR \(name)")
}

let gamma = try write(try settingGamma(2, ofGainMapIn: ultra), "gamma.jpg")
let channels = try ImageFile(parsing: ByteSource(gamma)).gainMaps().applicable?.metadata?.channels
check(channels?[0].gamma.value == 2, "the gamma of a gain map changes without encoding")

check(try thumbnails(of: [Data](repeating: ultra, count: 100)).count == 100, "a hundred thumbnails")
check(try withoutLocation(ultra).count > 0, "locations are removed")

var shares: [Double] = []
let followed = try await ultraHDR(of: photo) { shares.append($0) }
check(try summary(of: Data(followed)).contains("HDR true"), "a conversion is followed to its end")
check(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 }, "its progress never decreases")

let remote = try await summary(ofBytes: ultra.count) { ultra.subdata(in: $0) }
check(remote == "jpeg 256x128", "a file on a server is read in ranges")

let task = Task { try await lightLevels(of: large) }
task.cancel()
do {
  _ = try await task.value
  check(false, "a cancelled task ends its work")
} catch let error as ImageError {
  check(error.code == .cancelled, "a cancelled task ends its work")
}
