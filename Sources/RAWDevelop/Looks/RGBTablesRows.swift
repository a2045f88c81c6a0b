// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// `RGBTables` on rows.
struct RGBTablesRows: Sendable {
  private let method: RGBTables.Method
  private let tables: [(table: RGBTableRows, mask: ResampledMask?)]

  /// - Parameters:
  ///   - tables: Color tables; those whose mask is not in `masks` are dropped.
  ///   - isHDR: Whether the profile is for values above white.
  ///   - grid: Positions of pixels in the active area, which masks cover.
  ///   - masks: Masks by name.
  init(
    _ tables: RGBTables, isHDR: Bool, grid: DevelopedGrid, masks: [String: Plane<UInt16>]
  ) {
    method = tables.method
    self.tables = tables.tables.compactMap { table in
      let mask = table.mask.flatMap { masks[$0] }.map { ResampledMask($0, grid: grid) }
      guard table.mask == nil || mask != nil else { return nil }
      return (RGBTableRows(table.table, isHDR: isHDR), mask)
    }
  }

  /// Applies the tables to pixels; results are not clamped.
  ///
  /// - Parameters:
  ///   - row: Linear values in the primaries of ISO 22028-2.
  ///   - y: Row of the grid.
  ///   - columns: Columns of the grid.
  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>) {
    var sum = [Float](repeating: 0, count: row.width)
    var shares = tables.map { $0.mask?.coverage(row: y, columns: columns) ?? [] }
    for share in shares where !share.isEmpty {
      for x in sum.indices { sum[x] += share[x] }
    }
    let rest = sum.map { 1 - min(1, $0) }
    for index in shares.indices where shares[index].isEmpty { shares[index] = rest }
    switch method {
    case .sequential:
      for (entry, share) in zip(tables, shares) {
        changed(row, by: entry.table, share) { row.move(toward: $0, by: share) }
      }
    case .weightedSum:
      let source = row
      let hasBackground = tables.contains { $0.mask == nil }
      row.multiply(by: hasBackground ? sum.map { _ in 0 } : rest)
      for (entry, share) in zip(tables, shares) {
        changed(source, by: entry.table, share) { row.add($0, times: share) }
      }
      row.multiply(by: sum.map { 1 / max($0, 1) })
    }
  }

  /// Calls `body` with a row after a table, if its share is not 0 everywhere.
  private func changed(
    _ row: LinearRow, by table: RGBTableRows, _ share: [Float], _ body: (LinearRow) -> Void
  ) {
    guard share.contains(where: { $0 > 0 }) else { return }
    var changed = row
    table.apply(to: &changed)
    body(changed)
  }
}

extension LinearRow {
  /// Interpolates to another row; equals that row where the share is 1.
  fileprivate mutating func move(toward row: LinearRow, by share: [Float]) {
    func mix(_ a: inout [Float], _ b: [Float]) {
      for x in a.indices { a[x] = share[x] == 1 ? b[x] : a[x] + share[x] * (b[x] - a[x]) }
    }
    mix(&red, row.red)
    mix(&green, row.green)
    mix(&blue, row.blue)
  }

  fileprivate mutating func add(_ row: LinearRow, times share: [Float]) {
    for x in red.indices {
      red[x] += share[x] * row.red[x]
      green[x] += share[x] * row.green[x]
      blue[x] += share[x] * row.blue[x]
    }
  }

  fileprivate mutating func multiply(by gain: [Float]) {
    red.multiply(by: gain)
    green.multiply(by: gain)
    blue.multiply(by: gain)
  }
}
