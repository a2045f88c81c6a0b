// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses AV1 sequence headers and metadata: an item, and the content of `av1C`.
func exerciseAV1(_ bytes: [UInt8]) throws {
  for unit in (try? AV1OBU.split(bytes)) ?? [] {
    _ = try? AV1Metadata(parsing: unit)
    _ = try? AV1SequenceHeader(parsing: unit)
  }
  let header = try? AV1SequenceHeader(ofItem: bytes)
  var reader = ByteReader(bytes.span)
  let configuration = try AV1ConfigurationBox(parsing: &reader)
  if let header { _ = configuration.inconsistentFields(with: header) }
  var writer = ByteWriter()
  configuration.write(to: &writer)
}

/// Parses HEVC parameter sets: the content of `hvcC`, a single NAL unit, and units with lengths.
func exerciseHEVC(_ bytes: [UInt8]) throws {
  var units: [HEVCNALUnit] = []
  for size in [1, 2, 4] { units += (try? HEVCNALUnit.split(bytes, lengthSize: size)) ?? [] }
  if let unit = try? HEVCNALUnit(bytes[...]) { units.append(unit) }
  for unit in units { _ = try? HEVCSequenceParameterSet(parsing: unit) }
  if let made = try? HEVCConfigurationBox(parameterSets: units) {
    try exercise(made)
  }
  var reader = ByteReader(bytes.span)
  try exercise(try HEVCConfigurationBox(parsing: &reader))
}

private func exercise(_ configuration: HEVCConfigurationBox) throws {
  _ = try? configuration.inconsistentFields
  if let cropped = try? configuration.cropped(width: 60, height: 40) {
    try must("a cropped record is readable") { _ = try cropped.sequenceParameterSet }
  }
  if let marked = try? configuration.markedMain10 {
    try must("a marked record is readable") { _ = try marked.sequenceParameterSet }
  }
  var writer = ByteWriter()
  configuration.write(to: &writer)
  let written = writer.bytes
  var reader = ByteReader(written.span)
  let again = try must("a written record is readable") {
    try HEVCConfigurationBox(parsing: &reader)
  }
  try require(again == configuration, "a written record is the same")
}
