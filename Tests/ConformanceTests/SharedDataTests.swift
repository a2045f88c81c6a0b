// SPDX-License-Identifier: Apache-2.0
import Conformance
import HDRCore
import Synchronization
import Testing

@testable import ImageFiles

/// Items that share the same bytes of a file: work is debited for each use.
@Suite("Shared data") struct SharedDataTests {
  /// Counts the bytes that are read.
  private final class CountingFile: ByteProvider {
    let file: [UInt8]
    let read = Atomic(0)
    var count: Int { file.count }

    init(_ file: [UInt8]) { self.file = file }

    func bytes(in range: Range<Int>) -> [UInt8] {
      read.wrappingAdd(range.count, ordering: .relaxed)
      return Array(file[range])
    }
  }

  /// Grids that share their data are read up to their parameters, and to compare them, once per file.
  @Test(arguments: WorkTests.Verb.allCases) func grids(verb: WorkTests.Verb) throws {
    let file = try HEIFFile.sharing(.grids, 100, size: 1 << 20).serialized()
    let source = CountingFile(file)
    try verb.run(ByteSource(source))
    let read = source.read.load(ordering: .relaxed)
    #expect(read < 3 * file.count, "\(read) bytes of \(file.count)")
  }

  /// Packets and blocks that items share are parsed once.
  @Test(arguments: [WorkTests.Count.packets, .blocks])
  func metadata(count: WorkTests.Count) throws {
    let size = 1 << 18
    let steps = try [4, 8].map { number in
      try WorkTests.Verb.validate.steps(
        HEIFFile.sharing(count, number, size: size).serialized())
    }
    #expect(steps[1] - steps[0] < size >> 8, "\(steps)")
  }

  /// An exhausted budget ends the check; it is neither a finding nor a reason not to check a rule.
  @Test func exhaustedBudget() throws {
    let file = try HEIFFile.sharing(.packets, 1, size: 1 << 20).serialized()
    let execution = Execution(budget: Execution.Budget(steps: 2000))
    let checked = try CheckedFile(ImageFile(parsing: ByteSource(file)))
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in try checked.judgments() }
    }
    #expect(error?.code == .workBudgetExceeded)
  }

  /// The group that prefers a tone map is found among many, which findings count.
  @Test(arguments: [false, true]) func groups(isPreferred: Bool) throws {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    let extents = ItemProperty.Box.imageSpatialExtents(.init(width: 64, height: 64))
    let primary = file.addItem("hvc1", properties: [extents], data: .file([0]))
    file.primaryItemID = primary
    let toneMap = file.addItem("tmap", properties: [extents], data: .file([0]))
    file.addReference("dimg", from: toneMap, to: [primary, primary])
    for _ in 0..<6 { file.addGroup("altr", of: [primary, toneMap]) }
    if isPreferred { file.groups[4].entities = [toneMap, primary] }
    let parsed = try ImageFile(parsing: ByteSource(file.serialized()))
    let judgments = try CheckedFile(parsed).judgments(by: [.iso21496])
    let rule = try #require(judgments.first { $0.rule.id == "21496-1/tmap-alternatives" })
    #expect(rule.verdict == (isPreferred ? .pass : .broken))
    #expect(rule.findings.first?.declared == (isPreferred ? nil : "6 groups"))
  }

  /// The data of an item, in one part or many, is debited while it is read and used.
  @Test(arguments: [1, 3]) func memory(parts: Int) throws {
    let part = SourceBytes([UInt8](repeating: 7, count: 3 << 20))
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    let id = file.addItem(
      "mime", contentType: "text/plain",
      data: .file((0..<parts).map { part.slice(($0 << 20)..<(($0 + 1) << 20)) }))
    let execution = Execution(budget: Execution.Budget(memory: parts << 20))
    let bytes = try execution.run { () throws(ImageError) in try file.data(of: id) }
    #expect(bytes == [UInt8](repeating: 7, count: parts << 20))
    #expect(execution.budget.peakMemory == parts << 20 && execution.budget.usedMemory == 0)
    #expect(execution.budget.spentSteps >= parts << 12)
    let less = Execution(budget: Execution.Budget(memory: parts << 20 - 1))
    let error = #expect(throws: ImageError.self) {
      try less.run { () throws(ImageError) in try file.data(of: id) }
    }
    #expect(error?.code == .memoryBudgetExceeded)
    // The start of the data needs less.
    let least = Execution(budget: Execution.Budget(memory: 10))
    let prefix = try least.run { () throws(ImageError) in
      try file.withData(of: id, prefix: 10) { $0 }
    }
    #expect(prefix.count == 10)
  }
}

extension HEIFFile {
  /// A file in which `count` items share `size` bytes.
  static func sharing(
    _ structure: WorkTests.Count, _ count: Int, size: Int = 1 << 10
  ) throws -> HEIFFile {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    let extents = ItemProperty.Box.imageSpatialExtents(.init(width: 64, height: 64))
    let primary = file.addItem("hvc1", properties: [extents], data: .file([0]))
    file.primaryItemID = primary
    switch structure {
    case .grids:
      let grid = ImageGrid(rows: 1, columns: 1, width: 64, height: 64)
      let part = SourceBytes(grid.bytes + [UInt8](repeating: 0, count: size))
      for _ in 0..<count {
        let id = file.addItem("grid", properties: [extents], data: .file([part]))
        file.addReference("dimg", from: id, to: [primary])
      }
    case .parts:
      let whole = file.addItem(
        "mime", contentType: "text/plain", data: .file([UInt8](repeating: 0x20, count: size)))
      for index in 0..<count {
        let id = file.addItem(
          "mime", contentType: "text/plain",
          data: .items([.init(index: 1, offset: UInt64(index % size), length: 1)]))
        file.addReference("iloc", from: id, to: [whole])
      }
    case .blocks:
      let part = SourceBytes(
        [0, 0, 0, 0] + ExifBlock.minimal(orientation: .upright)
          + [UInt8](repeating: 0, count: size))
      for _ in 0..<count {
        let id = file.addItem("Exif", isHidden: true, data: .file([part]))
        file.addReference("cdsc", from: id, to: [primary])
      }
    default:
      let text = String(repeating: "x", count: size)
      let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\
        <rdf:Description rdf:about="" xmlns:a="http://ns.example/a/"><a:e>\(text)</a:e>\
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """
      let part = SourceBytes(Array(packet.utf8))
      for _ in 0..<count {
        let id = file.addItem(
          "mime", isHidden: true, contentType: HEIFFile.xmpContentType, data: .file([part]))
        file.addReference("cdsc", from: id, to: [primary])
      }
    }
    return file
  }
}
