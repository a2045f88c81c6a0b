// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// Parses a box and expects the serialized box to have the same bytes.
func roundTrip<Box: BoxContent>(_ digits: String, as type: Box.Type) throws -> Box {
  let bytes = hex(digits)
  var reader = ByteReader(bytes.span)
  let header = try BoxHeader(parsing: &reader, available: bytes.count)
  #expect(header.type == Box.boxType)
  let box = try Box(parsing: &reader)
  let remaining = reader.remaining
  #expect(remaining == 0)
  #expect(box.boxBytes == bytes)
  return box
}

@Suite("Structural boxes") struct StructureBoxTests {
  /// Entries and references of a gain map, as written by libavif.
  @Test func itemEntries() throws {
    let tmap = try roundTrip(
      "00000015 696E6665 02000000 0003 0000 746D6170 00", as: ItemInformationEntry.self)
    #expect(tmap == ItemInformationEntry(itemID: 3, itemType: "tmap"))
    let hidden = try roundTrip(
      "00000015 696E6665 02000001 0002 0000 68766331 00", as: ItemInformationEntry.self)
    #expect(HEIFItem(hidden).isHidden)
    let reference = try roundTrip(
      "0000001C 69726566 00000000 00000010 64696D67 0003 0002 0001 0002",
      as: ItemReferenceBox.self)
    #expect(reference.references == [ItemReference(type: "dimg", from: 3, to: [1, 2])])
    let groups = try roundTrip(
      "00000024 6772706C 0000001C 616C7472 00000000 00000064 00000002 00000003 00000001",
      as: GroupsListBox.self)
    #expect(groups.groups == [EntityGroup(type: "altr", id: 100, entities: [3, 1])])
    let user = try roundTrip(
      "0000002C 6772706C 00000024 75756964 000102030405060708090A0B0C0D0E0F 00000000 00000064 "
        + "00000000", as: GroupsListBox.self)
    #expect(user.groups.map(\.id) == [100])
  }

  @Test func itemEntryTypes() throws {
    let xmp = try roundTrip(
      "0000002D 696E6665 02000001 0004 0000 6D696D65 4100 6170706C69636174696F6E2F7264662B786D6C00"
        + "627200", as: ItemInformationEntry.self)
    #expect(xmp.name == "A")
    #expect(xmp.contentType == "application/rdf+xml" && xmp.contentEncoding == "br")
    let uri = try roundTrip(
      "0000001A 696E6665 03000000 00010000 0000 75726920 00 7800 AB", as: ItemInformationEntry.self)
    #expect(uri.itemID == 65536 && uri.uriType == "x" && uri.unknown == [0xAB])
  }

  @Test func wideIdentifiers() throws {
    #expect(try roundTrip("0000000E 7069746D 00000000 0002", as: PrimaryItemBox.self).itemID == 2)
    #expect(
      try roundTrip("00000010 7069746D 01000000 00010002", as: PrimaryItemBox.self).itemID
        == 0x10002)
    let reference = try roundTrip(
      "0000001E 69726566 01000000 00000012 6175786C 00010000 0001 00000001",
      as: ItemReferenceBox.self)
    #expect(reference.references == [ItemReference(type: "auxl", from: 0x10000, to: [1])])
  }

  @Test func associations() throws {
    let narrow = try roundTrip(
      "00000016 69706D61 00000000 00000001 0001 03 81 02 7F", as: ItemPropertyAssociationBox.self)
    #expect(narrow.entries[0].associations.map(\.index) == [1, 2, 127])
    #expect(narrow.entries[0].associations.map(\.isEssential) == [true, false, false])
    let wide = try roundTrip(
      "00000019 69706D61 01000001 00000001 00010001 02 8080 0001",
      as: ItemPropertyAssociationBox.self)
    #expect(wide.entries[0].itemID == 0x10001)
    #expect(wide.entries[0].associations.map(\.index) == [128, 1])
  }

  @Test func brands() throws {
    let box = try roundTrip(
      "0000001C 66747970 68656978 00000000 6D696631 68656978 6D696166", as: FileTypeBox.self)
    #expect(box.majorBrand == "heix" && box.contains("mif1") && !box.contains("heic"))
  }
}
