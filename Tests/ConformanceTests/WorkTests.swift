// SPDX-License-Identifier: Apache-2.0
import Conformance
import HDRCore
import Testing

@testable import ImageFiles

/// Work that files cause through inspection, validation and edits.
@Suite("Work") struct WorkTests {
  /// A count that a file controls, and a file with that count.
  enum Count: String, CaseIterable {
    case items, properties, references, extents, boxes, texts, elements, attributes, tags, segments
    case entries
    /// Items that share one extent: grids, XMP and Exif, and parts of the data of another item.
    case grids, packets, blocks, parts

    func file(_ count: Int) throws -> [UInt8] {
      switch self {
      case .items, .properties, .references, .extents, .boxes: try heif(count)
      case .grids, .packets, .blocks, .parts: try HEIFFile.sharing(self, count).serialized()
      case .texts, .elements, .attributes, .tags: try png(count)
      case .segments, .entries: try jpeg(count)
      }
    }

    private func heif(_ count: Int) throws -> [UInt8] {
      var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
      let size = ItemProperty.Box.imageSpatialExtents(.init(width: 64, height: 64))
      let primary = file.addItem("hvc1", properties: [size], data: .file([0]))
      file.primaryItemID = primary
      for index in 0..<count {
        switch self {
        case .items: file.addXMP(XMPPacket.empty, describing: [primary])
        case .properties:
          file.addItem(
            "hvc1",
            properties: [
              .imageSpatialExtents(.init(width: UInt32(index) + 1, height: 64))
            ], data: .file([0]))
        case .references: file.addReference("cdsc", from: primary, to: [primary])
        default: break
        }
      }
      if self == .extents {
        file.addItem(
          "mime", contentType: "text/plain",
          data: .file(
            (0..<count).map { _ in
              SourceBytes([1])
            }))
      }
      let box: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
      let boxes = self == .boxes ? [[UInt8]](repeating: box, count: count) : []
      return try file.serialized() + boxes.joined()
    }

    private func png(_ count: Int) throws -> [UInt8] {
      var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
      file.insert(PNGChunk(.imageData, try Zlib.deflate([0, 0])))
      let head = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\
        <rdf:Description rdf:about="" xmlns:a="http://ns.example/a/">
        """
      let tail = "</rdf:Description></rdf:RDF></x:xmpmeta>"
      switch self {
      case .texts:
        for index in 0..<count {
          file.insert(PNGText(keyword: "Comment", bytes: Array("\(index)".utf8)).chunk)
        }
      case .elements:
        let elements = (0..<count).map { "<a:e\($0)>1</a:e\($0)>" }.joined()
        file.setXMP(Array((head + elements + tail).utf8))
      case .attributes:
        let attributes = (0..<count).map { "a:n\($0)=\"1\"" }.joined(separator: " ")
        file.setXMP(Array((head + "<a:e \(attributes)/>" + tail).utf8))
      default:
        var profile = try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: .pq))
        let old = profile[128..<132].reduce(0) { $0 << 8 | Int($1) }
        let entry = Array(profile[132..<144])
        // Duplicate entries of the first tag follow the table, whose data must not begin before.
        profile.replaceSubrange(
          128..<132, with: [0, 0, UInt8((old + count) >> 8), UInt8((old + count) & 255)])
        profile.insert(contentsOf: (0..<count).flatMap { _ in entry }, at: 132)
        try file.setProfile(profile)
      }
      return try file.serialized().allBytes()
    }

    private func jpeg(_ count: Int) throws -> [UInt8] {
      var segments: [UInt8] = []
      func add(_ marker: UInt8, _ body: [UInt8]) {
        let length = body.count + 2
        segments += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
      }
      if self == .segments {
        for _ in 0..<count { add(0xFE, [1]) }
      } else {
        var exif = Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8)
        exif += [UInt8(count >> 8), UInt8(count & 255)]
        for index in 0..<count {
          exif += [0x90, UInt8(index & 255), 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]
        }
        add(0xE1, exif + [0, 0, 0, 0])
      }
      add(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
      return [0xFF, 0xD8] + segments + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x2A, 0xFF, 0xD9]
    }
  }

  enum Verb: CaseIterable {
    case inspect, validate, tag, compare

    /// Steps that the verb debits for a file.
    func steps(_ bytes: [UInt8]) throws -> Int {
      let execution = Execution()
      try execution.run { () throws(ImageError) in try run(ByteSource(bytes)) }
      return execution.budget.spentSteps
    }

    func run(_ source: ByteSource) throws(ImageError) {
      let file = try ImageFile(parsing: source)
      switch self {
      case .inspect:
        _ = try? file.contents()
        _ = try file.structure()
      case .validate: _ = try CheckedFile(file).judgments()
      case .tag:
        var edit = MetadataEdit()
        edit.xmp = .set(XMPPacket.empty)
        _ = try file.edited(by: edit)
      case .compare:
        let other = try ImageFile(parsing: source)
        for one in [file, other] {
          _ = try? one.contents()
          _ = try one.metadataSummary()
        }
        _ = try PayloadPairing(file.codedPayloads(), other.codedPayloads())
        _ = StructureDifference(try file.structure(), try other.structure())
      }
    }
  }

  /// Twice as many elements cause at most 2.3 times the work, and every element is counted.
  @Test(arguments: Count.allCases, Verb.allCases)
  func growth(count: Count, verb: Verb) throws {
    let steps = try [250, 500, 1000].map { try verb.steps(try count.file($0)) }
    // Edits do not read the tags of profiles.
    #expect(steps[0] >= 250 || verb == .tag && count == .tags, "\(count) \(verb): \(steps)")
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(Double(after) < 2.3 * Double(before), "\(count) \(verb): \(steps)")
    }
  }

  /// A budget of fewer steps ends the operation with a typed error.
  @Test(arguments: Count.allCases) func limit(count: Count) throws {
    let bytes = try count.file(500)
    let execution = Execution(budget: Execution.Budget(steps: 400))
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        let file = try ImageFile(parsing: ByteSource(bytes))
        _ = try file.contents()
        _ = try CheckedFile(file).judgments()
        throw ImageError(.cancelled)
      }
    }
    // XMP and profiles that are not read become notices; the containers themselves fail.
    let isNoticed: Set<Count> = [.elements, .attributes, .tags, .entries]
    #expect(
      error?.code.id == "budget/work-exceeded" || isNoticed.contains(count),
      "\(count): \(error?.description ?? "")")
  }
}
