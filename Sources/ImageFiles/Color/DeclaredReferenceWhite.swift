package import HDRCore

/// The luminance of 1.0 that a file states, if anything can be meant by it.
package struct DeclaredReferenceWhite {
  /// cd/m²; `nil` if the file states none, or one that cannot be.
  package var luminance: Double?
  package var notices: [Notice] = []

  /// Takes what a file says.
  ///
  /// - Parameters:
  ///   - stated: The number in the file.
  ///   - name: What the format calls it.
  ///   - plausible: What can be meant; never above the peak of PQ.
  package init(_ stated: Double?, named name: String, plausible: (Double) -> Bool) {
    guard let stated else { return }
    // Not a number is not below the peak either.
    if stated <= 10_000, plausible(stated) {
      luminance = stated
    } else {
      notices = [
        Notice(.lightLuminanceInvalid, ["field": name, "value": stated], at: .init(path: [name]))
      ]
    }
  }
}
