// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses gain map metadata: the ISO 21496-1 payload, and the Apple maker note.
func exerciseGainMap(_ bytes: [UInt8]) throws {
  if let note = try AppleMakerNote(parsing: bytes) { _ = (note.branch, note.headroom) }
  var notices: [Notice] = []
  if let payload = try? ISO21496Payload(parsingToneMapItem: bytes, notices: &notices) {
    try exercise(payload)
  }
  try exercise(try ISO21496Payload(parsing: bytes, notices: &notices))
}

private func exercise(_ payload: ISO21496Payload) throws {
  _ = payload.description
  var notices: [Notice] = []
  let again = try must("a written payload is readable") {
    try ISO21496Payload(parsing: payload.serialized, notices: &notices)
  }
  try require(again == payload, "a written payload is the same")
  // Readers distinguish items and bare payloads by length, so unknown bytes may be ambiguous.
  guard payload.unknown.isEmpty else { return }
  let item = try must("a written item is readable") {
    try ISO21496Payload(parsingToneMapItem: payload.toneMapItem, notices: &notices)
  }
  try require(item == payload, "a written item is the same")
}

/// Finds the gain maps of JPEG, HEIF, AVIF, JPEG XL and PNG files, removes them, and rewrites their
/// metadata.
func exerciseInventory(_ bytes: [UInt8]) throws {
  let file = try ImageFile(parsing: ByteSource(bytes))
  _ = try? file.gainMaps()
  switch file.container {
  case .heif(let file): try exerciseMaps(of: file)
  case .jpeg(let file): try exerciseMaps(of: file)
  default: try exerciseMaps(of: file)
  }
}

private func exerciseMaps(of file: ImageFile) throws {
  if let without = try? file.droppingGainMaps() {
    try require(try without.file.gainMaps().maps.isEmpty, "no map is left")
  }
  if let with = try? file.describingGainMap(in: [.iso]) {
    try require(try with.file.gainMaps().applicable != nil, "the map is found")
  }
}

private func exerciseMaps(of file: HEIFFile) throws {
  // Edits do not change files that were parsed although the primary item is missing.
  guard (try? file.primaryItem) != nil else { return }
  let inventory = try GainMapInventory(of: file)
  var without = file
  if (try? without.removeGainMaps()) != nil, let written = try? without.serialized() {
    let again = try must("a file without its map is readable") {
      try HEIFFile(parsing: ByteSource(written))
    }
    try require(try GainMapInventory(of: again).applicable == nil, "no map is left")
  }
  guard let map = inventory.applicable, case .item(let id) = map.location,
    let description = description(of: map, in: [.iso])
  else { return }
  var with = file
  if (try? with.setGainMap(id, description)) != nil, let written = try? with.serialized() {
    let again = try must("a file with another map is readable") {
      try HEIFFile(parsing: ByteSource(written))
    }
    try require(try GainMapInventory(of: again).applicable != nil, "the map is found")
  }
}

private func exerciseMaps(of file: JPEGFile) throws {
  let inventory = try GainMapInventory(of: file)
  var without = file
  if (try? without.removeGainMaps()) != nil, let written = try? without.serialized().allBytes() {
    _ = try must("a file without its map is readable") {
      try JPEGFile(parsing: ByteSource(written))
    }
  }
  guard let map = inventory.applicable, case .image(let index) = map.location,
    let description = description(of: map, in: [.iso, .xmp])
  else { return }
  var with = file
  if (try? with.setGainMap(file.images[index], description)) != nil,
    let written = try? with.serialized().allBytes()
  {
    let again = try must("a file with another map is readable") {
      try JPEGFile(parsing: ByteSource(written))
    }
    try require(try GainMapInventory(of: again).applicable != nil, "the map is found")
  }
}

private func description(
  of map: FoundGainMap, in flavors: Set<GainMapFlavor>
) -> GainMapMetadataSet? {
  guard let meaning = map.metadata else { return nil }
  let isGray = map.layout?.componentCount == 1
  return try? GainMapMetadataSet(of: meaning, in: flavors, mapIsGray: isGray)
}
