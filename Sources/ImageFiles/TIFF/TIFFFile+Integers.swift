// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageContainers

extension TIFFFile {
  /// The integers of an entry; empty if the directory does not contain it.
  package func integers(_ tag: TIFFTag, in directory: TIFFDirectory) throws(ImageError) -> [Int] {
    guard let entry = directory[tag] else { return [] }
    return try unsigned(entry).map { Int(clamping: $0) }
  }
}
