// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

/// A gain map in a file of its own, with metadata from that file or another one.
package struct SeparateGainMap: Sendable {
  /// Name of the file with the map.
  package let name: String
  /// A file whose image is the map.
  package let file: ImageFile
  /// The gain map metadata.
  package let metadata: FoundGainMap
  package let notices: [Notice]

  /// Opens the map, and the file with its metadata.
  ///
  /// - Parameters:
  ///   - name: A file whose image is the gain map, or a file with a gain map.
  ///   - metadata: JSON of `FoundGainMap`, or a file with a gain map; `nil` for those of the gain map file.
  ///   - options: Options for opening both.
  ///   - open: Opens a file by its name.
  /// - Throws: Errors of reading the files.
  package init(
    _ name: String, metadata: String?, _ options: OpeningOptions,
    _ open: (String) throws(ImageError) -> ByteSource
  ) throws(ImageError) {
    self.name = name
    let taken: FoundGainMap?
    do throws(ImageError) {
      let given = try ImageFile(parsing: try open(name), options: options)
      taken = metadata == nil ? try given.detachedGainMap() : nil
      if let found = try ifReadable(try given.gainMaps().applicable), given.isEditable {
        file = try ImageFile(
          parsing: ByteSource(try given.standaloneFile(ofGainMapAt: found.location)),
          options: options)
        notices = [
          Notice(.assumed, "the file given as the gain map has a gain map itself, which is used")
        ]
      } else {
        (file, notices) = (given, [])
      }
    } catch {
      throw error.inFile(name)
    }
    if let taken {
      self.metadata = taken
      return
    }
    let other = metadata ?? name
    do throws(ImageError) {
      self.metadata = try FoundGainMap(readFrom: try open(other), options)
    } catch {
      throw error.inFile(other)
    }
  }
}

extension FoundGainMap {
  /// Reads JSON, or the metadata of a file with a gain map.
  fileprivate init(readFrom source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    guard FoundGainMap.isJSON(try source.prefix(16)) else {
      self = try ImageFile(parsing: source, options: options).detachedGainMap()
      return
    }
    guard source.count <= FoundGainMap.largestJSON else {
      throw ImageError(
        .limitExceeded, "{size byte} of JSON; the limit is {limit byte}",
        ["size": source.count, "limit": FoundGainMap.largestJSON])
    }
    self = try FoundGainMap(json: try source.bytes(in: 0..<source.count))
  }
}
