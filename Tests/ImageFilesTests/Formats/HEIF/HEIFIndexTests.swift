// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ImageFiles

@Suite("Items by identifier") struct HEIFIndexTests {
  private static func file(_ count: UInt32) -> HEIFFile {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: []))
    file.items = (1...count).map { HEIFItem(id: $0, type: "hvc1") }
    file.references = (2...count).map { ItemReference(type: "auxl", from: $0, to: [1, 1]) }
    return file
  }

  @Test func findsWhatThereIs() {
    var file = Self.file(5)
    #expect(file.item(3)?.id == 3 && file.item(9) == nil)
    #expect(file.references(from: 4, type: "auxl") == [1, 1])
    #expect(file.references(to: 1, type: "auxl") == [2, 3, 4, 5])
    #expect(file.references(to: 1, type: "thmb").isEmpty)
    file.updateItem(3) { $0.type = "av01" }
    #expect(file.item(3)?.type == "av01")
  }

  /// The first item with a duplicate identifier is used.
  @Test func doubles() {
    var file = Self.file(2)
    file.items.append(HEIFItem(id: 1, type: "Exif"))
    #expect(file.item(1)?.type == "hvc1")
  }

  /// Edits of items and references update the index, and copies are independent.
  @Test func followsChanges() {
    var file = Self.file(4)
    let before = file
    #expect(file.item(2) != nil && file.references(to: 1, type: "auxl").count == 3)
    let added = file.addItem("grid")
    #expect(file.item(added)?.type == "grid")
    file.addReference("dimg", from: added, to: [2, 3])
    #expect(file.references(from: added, type: "dimg") == [2, 3])
    file.removeItem(2)
    #expect(file.item(2) == nil && file.item(3)?.id == 3)
    #expect(file.references(to: 1, type: "auxl") == [3, 4])
    file.updateItem(3) { $0.id = 30 }
    #expect(file.item(3) == nil && file.item(30)?.id == 30)
    file.items[0].id = 10
    #expect(file.item(1) == nil && file.item(10) != nil)
    file.references[0].to = [4]
    #expect(file.references(to: 4, type: "auxl") == [3])
    #expect(before.item(2)?.id == 2 && before.item(added) == nil)
    #expect(before.references(to: 1, type: "auxl") == [2, 3, 4])
  }

  /// Looking up each of 64 000 items takes less than 10 seconds.
  @Test func manyItems() {
    let file = Self.file(64_000)
    let start = ContinuousClock.now
    var found = 0
    for item in file.items {
      if file.item(item.id) != nil { found += 1 }
      found += file.references(from: item.id, type: "auxl").count
      found += file.references(to: item.id, type: "dimg").count
    }
    #expect(found == 64_000 + 2 * 63_999)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
