// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A gain map in a file of its own, with metadata from that file or another one.
struct GainMapInput {
  /// A file whose image is the map.
  let file: ImageFile
  /// The gain map metadata.
  let metadata: FoundGainMap
  let notices: [Notice]

  /// Opens the map, and the file with its metadata.
  ///
  /// - Parameters:
  ///   - path: A file whose image is the gain map, or a file with a gain map.
  ///   - metadata: JSON of `gainmap extract`, or a file with a gain map; `nil` for those of the gain map file.
  ///   - opening: Options for opening both.
  /// - Throws: Errors of reading the files.
  init(_ path: String, metadata: String?, _ opening: OpeningOptions) throws {
    let given = try during(.reading, path) { () throws(ImageError) in
      try openImage(path, options: opening)
    }
    self.metadata =
      if let metadata { try FoundGainMap(readFrom: metadata, opening) } else {
        try during(.reading, path) { () throws(ImageError) in try given.detachedGainMap() }
      }
    (file, notices) = try during(.reading, path) { () throws(ImageError) in
      guard let found = (try? given.gainMaps())?.applicable, given.isEditable else {
        return (given, [])
      }
      let taken = try ImageFile(
        parsing: ByteSource(try given.standalone(found.place)), options: opening)
      return (taken, [Notice(.joinGainMapOfFileUsed)])
    }
  }
}

extension FoundGainMap {
  /// Reads JSON, or the metadata of a file with a gain map.
  fileprivate init(readFrom path: String, _ opening: OpeningOptions) throws {
    self = try during(.reading, path) { () throws(ImageError) in
      let source = try openInput(path, limits: opening.limits)
      guard FoundGainMap.isJSON(try source.prefix(16)) else {
        return try ImageFile(parsing: source, options: opening).detachedGainMap()
      }
      guard source.count <= FoundGainMap.largestJSON else {
        throw ImageError(.jsonTooLarge, ["size": source.count, "limit": FoundGainMap.largestJSON])
      }
      return try FoundGainMap(json: try source.bytes(in: 0..<source.count))
    }
  }
}
