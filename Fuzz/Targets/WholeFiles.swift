// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Limits of images whose samples are decoded.
private let limits = ImageLimits(pixels: 1 << 16, side: 1 << 11, memory: 1 << 24)

private func open(_ bytes: [UInt8]) throws -> ImageFile { try opened(bytes, limits) }

/// Writes the metadata of gain maps in all flavors, and rotates images without decoding them.
func exerciseRemux(_ bytes: [UInt8]) throws {
  let file = try open(bytes)
  for flavors in [[.iso], [.xmp], [.apple], [.iso, .xmp]] as [Set<GainMapFlavor>] {
    guard let result = try? file.describingGainMap(in: flavors) else { continue }
    let again = try must("a file with other gain map metadata is readable") {
      try open(result.bytes.allBytes())
    }
    try require(
      try again.gainMaps().applicable != nil, "a gain map is found in the flavors of the result")
  }
  for orientation in [Orientation.rotated90, .flipped] {
    guard let rotated = try? file.rotated(by: orientation) else { continue }
    let expected = try file.metadataSummary().orientation.followed(by: orientation)
    let again = try must("a rotated file is readable") { try open(rotated.bytes.allBytes()) }
    try require(
      try again.metadataSummary().orientation == expected, "an orientation is read as written")
  }
}

/// Fixes violations of all standards; fixing the result again must not change it.
func exerciseFixes(_ bytes: [UInt8]) throws {
  let standards = Set(Standard.allCases)
  let fixed = try FixedFile(fixing: CheckedFile(open(bytes)), by: standards)
  guard let result = fixed.bytes else { return }
  let again = try must("a fixed file is readable") {
    try CheckedFile(open(result.allBytes()))
  }
  let findings = try again.judgments(by: standards).map(\.findings.count)
  try require(
    findings == fixed.judgments.map(\.findings.count), "a fixed file is judged as reported")
}

/// Decodes images of all formats with samples in memory, their gain maps and auxiliary images.
func exerciseSamples(_ bytes: [UInt8]) throws {
  let source = try SourceImage.open(
    ByteSource(bytes), options: OpeningOptions(limits: limits))
  _ = try? source.decodeGainMap()
  let reader = try source.image.makeReader()
  let height = source.image.layout.height
  for start in stride(from: 0, to: height, by: 16) {
    let rows = start..<min(start + 16, height)
    let planes = try reader.read(rows: rows)
    try require(planes.layout.height == rows.count, "as many rows as requested")
  }
}

/// Parses metadata of a gain map in JSON.
func exerciseJSON(_ bytes: [UInt8]) throws {
  let found = try FoundGainMap(json: bytes)
  guard let json = try? found.json() else { return }
  let again = try must("written JSON is readable") { try FoundGainMap(json: json) }
  try require(again.metadata == found.metadata, "written JSON has the same metadata")
}
