// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Structure trees") struct StructureTests {
  /// A box inside another, and a box whose size exceeds the file.
  @Test func boxes() throws {
    let bytes = hex(
      "00000014 66747970 61766966 00000000 6D696631 00000010 6D6F6F76 00000008 66726565"
        + "000000FF 6D646174 00")
    let nodes = try StructureNode.boxes(of: ByteSource(bytes))
    #expect(nodes.map(\.name) == ["ftyp", "moov", "mdat"])
    #expect(nodes[0].range == 0..<20)
    #expect(nodes[0].field("major brand") == "avif")
    #expect(nodes[1].children.map(\.name) == ["free"])
    #expect(nodes[1].children[0].range == 28..<36)
    #expect(nodes[2].range == 36..<45)
    #expect(nodes[2].field("missing") == "246 bytes")
  }

  /// Excessive nesting and number of boxes.
  @Test func limits() throws {
    var nested: [UInt8] = []
    for depth in 1...200 {
      var writer = ByteWriter()
      writer.writeBigEndian(UInt32(8 * depth))
      writer.write("moov")
      nested = writer.bytes + nested
    }
    func depth(_ node: StructureNode) -> Int { 1 + (node.children.map(depth).max() ?? 0) }
    let tree = try StructureNode.boxes(of: ByteSource(nested), limits: ImageLimits(nesting: 20))
    #expect(tree.map(depth).max() == 20)

    let many = Array(repeating: hex("00000008 66726565"), count: 1000).flatMap { $0 }
    let some = try StructureNode.boxes(of: ByteSource(many), limits: ImageLimits(items: 100))
    #expect(some.count == 100)
  }

  @Test func tiff() throws {
    let exif = ExifBlock.minimal(orientation: .rotated90)
    let nodes = try ExifBlock(parsing: exif).structure.structure(base: 1000)
    #expect(nodes.map(\.name) == ["IFD 0"])
    let entry = try #require(nodes[0].children.first)
    #expect(entry.name == "Orientation" && entry.field("value") == "6")
    #expect(entry.range == 1018..<1020)
  }

  @Test func png() throws {
    var file = PNGFile(header: PNGHeader(width: 2, height: 3, bitDepth: 16, colorType: .rgb))
    file.set(PNGCodePoints(CICP(primaries: .bt2020, transfer: .pq)))
    file.insert(PNGChunk(.imageData, [1, 2, 3]))
    file.insert(PNGChunk(.imageData, [4]))
    let bytes = try file.serialized().allBytes()
    let parsed = try PNGFile(parsing: ByteSource(bytes))
    let nodes = try parsed.structure()
    #expect(nodes.map(\.name) == ["IHDR", "cICP", "IDAT", "IEND"])
    #expect(nodes[0].field("size") == "2x3")
    #expect(nodes[1].field("cicp") == "BT.2020, PQ, RGB, full range (9/16/0)")
    #expect(nodes[2].field("chunks") == "2")
    #expect(nodes.first?.range?.lowerBound == 8 && nodes.last?.range?.upperBound == bytes.count)
    for (node, next) in zip(nodes, nodes.dropFirst()) {
      #expect(node.range?.upperBound == next.range?.lowerBound)
    }
  }

  @Test func openEXR() throws {
    var writer = ByteWriter()
    writer.writeLittleEndian(20_000_630 as UInt32)
    writer.writeLittleEndian(2 as UInt32)
    writer.write("compression", isTerminated: true)
    writer.write("compression", isTerminated: true)
    writer.writeLittleEndian(1 as UInt32)
    writer.write([4])
    writer.write("whiteLuminance", isTerminated: true)
    writer.write("float", isTerminated: true)
    writer.writeLittleEndian(4 as UInt32)
    writer.writeLittleEndian((203 as Float).bitPattern)
    writer.write([0, 9, 9])
    let nodes = try EXRStructure.nodes(of: ByteSource(writer.bytes))
    #expect(nodes.map(\.name) == ["version", "part 0", "offset tables and chunks"])
    #expect(nodes[1].children.map { $0.field("value") } == ["PIZ", "203.0"])
    #expect(nodes[2].range?.count == 2)
    #expect(throws: ImageError.self) {
      try EXRStructure.nodes(of: ByteSource(Array(writer.bytes.prefix(60))))
    }
  }

  /// Items of an iPhone file, as in the manifest.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func items() throws {
    let source = try Corpus.source("heic-apple-tmap/iphone16-26-3-mattes.heic")
    let items = try HEIFFile(parsing: source).itemStructure.children
    func count(_ type: String) -> Int { items.count { $0.field("type") == type } }
    #expect(count("hvc1") == 113 && count("grid") == 3 && count("mime") == 4)
    let toneMap = try #require(items.first { $0.name == "item 122" })
    #expect(toneMap.children.first { $0.name == "dimg" }?.field("to") == "item 46, item 62")
    #expect(toneMap.children.first { $0.name == "altr" }?.field("of") == "item 122, item 46")
    let base = try #require(items.first { $0.field("primary") == "yes" })
    let rotation = base.children.first { $0.name == "irot" }
    #expect(rotation?.field("anticlockwise") == "270 degrees")
    #expect(rotation?.field("essential") == "yes")
  }
}
