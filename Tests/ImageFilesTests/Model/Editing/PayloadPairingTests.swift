// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Pairing of coded data") struct PayloadPairingTests {
  private func payload(_ name: String, _ bytes: [UInt8]...) -> CodedPayload {
    CodedPayload(name, bytes.map { SourceBytes($0) })
  }

  @Test func dataThatMovedArePaired() throws {
    let entries = try PayloadPairing(
      [payload("item 1", [1, 2, 3]), payload("item 2", [4])],
      [payload("item 9", [4]), payload("item 7", [1], [2, 3]), payload("item 8", [5])]
    ).entries
    #expect(entries.map(\.first) == ["item 1", "item 2", nil])
    #expect(entries.map(\.second) == ["item 7", "item 9", "item 8"])
    #expect(entries.map(\.byteCount) == [3, 1, 1])
    #expect(entries[0].sha256 == SHA256.hexadecimal([1, 2, 3]))
  }

  /// Of two equal tiles, only one is paired with a single counterpart.
  @Test func eachIsPairedOnce() throws {
    let tiles = [payload("tile 1", [7]), payload("tile 2", [7])]
    let forth = try PayloadPairing(tiles, [payload("tile", [7])]).entries
    #expect(forth.map(\.first) == ["tile 1", "tile 2"])
    #expect(forth.map(\.second) == ["tile", nil])
    let back = try PayloadPairing([payload("tile", [7])], tiles).entries
    #expect(back.map(\.first) == ["tile", nil])
    #expect(back.map(\.second) == ["tile 1", "tile 2"])
  }
}
