// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Color tables at the end of a look: for areas of semantic masks, and for the background.
///
/// Source: DNG 1.7.1, RGBTables.
struct RGBTables: Hashable, Sendable {
  /// Combination of the results of the tables.
  enum Method: Int, Hashable, Sendable {
    /// The mean weighted by masks; the remaining weight is that of the background.
    case weightedSum
    /// Each table is applied to the result of the preceding ones, weighted by its mask.
    case sequential
  }

  /// A table and its mask.
  struct Masked: Hashable, Sendable {
    /// Name of the mask, case-sensitive; `nil` for the background.
    let mask: String?
    let table: RGBTable
  }

  let method: Method
  /// Tables in the order of the file; at most one is for the background.
  let tables: [Masked]

  /// Applies the tables to a color in linear ROMM RGB, without clamping.
  ///
  /// - Parameters:
  ///   - color: A color.
  ///   - coverage: Values of masks, 0...1, by name; tables whose mask is missing have no effect.
  ///   - isHDR: Whether the profile is for values above white.
  /// - Returns: The combined color.
  func color(
    _ color: SIMD3<Double>, coverage: [String: Double], isHDR: Bool
  ) -> SIMD3<Double> {
    func covered(_ table: Masked) -> Double { table.mask.flatMap { coverage[$0] } ?? 0 }
    let sum = tables.reduce(0) { $0 + covered($1) }
    let rest = 1 - min(1, sum)
    func share(_ table: Masked) -> Double { table.mask == nil ? rest : covered(table) }
    switch method {
    case .weightedSum:
      let hasBackground = tables.contains { $0.mask == nil }
      let total = tables.reduce(hasBackground ? .zero : rest * color) { total, table in
        total + share(table) * table.table.color(color, isHDR: isHDR)
      }
      return total / (sum + rest)
    case .sequential:
      return tables.reduce(color) { color, table in
        color + share(table) * (table.table.color(color, isHDR: isHDR) - color)
      }
    }
  }
}
