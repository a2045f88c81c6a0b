package import HDRCore

extension ImageError {
  /// The same error, with the place where it did not know it itself.
  package func located(in path: String, at offset: Int?) -> ImageError {
    var error = self
    if error.location.path.isEmpty { error.location.path = [path] }
    error.location.offset = error.location.offset ?? offset
    return error
  }
}

extension ImageLimits {
  /// Fails unless a picture of this size, which the file gives at this place, may be decoded.
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
