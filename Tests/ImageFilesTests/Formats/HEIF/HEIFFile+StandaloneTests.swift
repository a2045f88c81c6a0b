// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Extraction of images") struct StandaloneTests {
  @Test func tile() throws {
    let file = HEIFWriterTests.sample()
    let tile = try file.standalone(3)
    let again = try HEIFFile(parsing: ByteSource(tile.serialized()))
    #expect(again == tile)
    #expect(again.items.count == 1 && again.references.isEmpty && again.groups.isEmpty)
    #expect(try again.primaryItem.isHidden == false)
    #expect(try again.data(of: 1) == file.data(of: 3))
    #expect(again.properties(of: 1) == file.properties(of: 3))
    #expect(again.fileType == .avif(HEIFWriterTests.configuration))
  }

  @Test func grid() throws {
    let file = HEIFWriterTests.sample()
    let grid = try file.standalone(1)
    #expect(grid.items.map(\.type) == ["av01", "av01", "grid"])
    #expect(grid.items.map(\.isHidden) == [true, true, false])
    #expect(grid.references(from: 3, type: "dimg") == [1, 2])
    #expect(try grid.data(of: 3) == file.data(of: 1))
    #expect(grid.primaryItemID == 3)
  }

  @Test func auxiliary() throws {
    var file = HEIFWriterTests.sample()
    file.updateItem(2) { $0.setProperty("auxC", to: .auxiliaryType(.init(AuxiliaryTypeBox.alpha))) }
    #expect(try file.standalone(2).primaryItem.property(AuxiliaryTypeBox.self) == nil)
  }

  @Test func unrecognizedBytes() {
    var file = HEIFWriterTests.sample()
    #expect { try file.standalone(4) } throws: { ($0 as? ImageError)?.category == .invalidArgument }
    #expect { try file.standalone(99) } throws: { ($0 as? ImageError)?.category == .malformed }
    file.addReference("dimg", from: 1, to: [1])
    #expect { try file.standalone(1) } throws: { ($0 as? ImageError)?.category == .malformed }
  }
}
