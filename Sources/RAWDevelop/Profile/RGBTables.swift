internal import HDRCore

/// The tables of colors that a look ends with: for what semantic masks cover, and for the rest.
///
/// Source: DNG 1.7.1, RGBTables.
struct RGBTables: Hashable, Sendable {
  /// How what the tables make of a color is put together.
  enum Method: Int, Hashable, Sendable {
    /// The mean, weighted by what masks say; what they leave, counts for the background.
    case weightedSum
    /// Each table changes what those before it have made, as far as its mask says.
    case sequential
  }

  /// A table, and where it holds.
  struct Masked: Hashable, Sendable {
    /// What the mask is called, in the case of the file; `nil` for what all masks leave.
    let mask: String?
    let table: RGBTable
  }

  let method: Method
  /// In the order of the file; at most one is for what the masks leave.
  let tables: [Masked]

  /// The color that another becomes, both in linear ROMM RGB; not clamped.
  ///
  /// - Parameters:
  ///   - color: As the look has it before.
  ///   - coverage: What masks say here, 0...1, by their names; tables without a mask change nothing.
  ///   - isHDR: Whether the profile is for light above white.
  /// - Returns: What the tables make of it together.
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
