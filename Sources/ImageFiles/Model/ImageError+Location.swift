// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ImageError {
  /// A copy of the error, with the path and offset added if they were missing.
  package func located(in path: String, at offset: Int?) -> ImageError {
    var error = self
    if error.location.path.isEmpty { error.location.path = [path] }
    error.location.offset = error.location.offset ?? offset
    return error
  }
}

extension ImageLimits {
  /// Throws an error at a location in the file if an image of this size exceeds the limits.
  package func check(
    width: Int, height: Int, in path: String, at offset: Int?
  ) throws(ImageError) {
    do throws(ImageError) {
      try check(width: width, height: height)
    } catch {
      throw error.located(in: path, at: offset)
    }
  }
}
