// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The luminance of linear value 1.0 as declared by a file, if it is plausible.
package struct DeclaredReferenceWhite {
  /// Luminance in cd/m²; `nil` if not specified or not plausible.
  package var luminance: Double?
  package var notices: [Notice] = []

  /// Checks the value that a file declares.
  ///
  /// - Parameters:
  ///   - declared: The value in the file, in cd/m².
  ///   - name: Name of the field in the format.
  ///   - plausible: Whether a value is plausible; values above 10,000 cd/m², the peak of PQ, never
  ///     are.
  package init(_ declared: Double?, named name: String, plausible: (Double) -> Bool) {
    guard let declared else { return }
    // This comparison is false for NaN as well.
    if declared <= 10_000, plausible(declared) {
      luminance = declared
    } else {
      notices = [
        Notice(
          .irregular, "ignored: {field} of {value cd/m²}", ["field": name, "value": declared],
          at: .init(path: [name]))
      ]
    }
  }
}
