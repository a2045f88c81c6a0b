// SPDX-License-Identifier: Apache-2.0
package import ImageFiles

extension ImageFile {
  /// The file that this one was transcoded from without loss; `nil` for other files.
  package var original: ImageFile? { (try? format.decoder())?.original(of: self) }
}
