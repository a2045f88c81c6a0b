import Foundation
import HDRCore
import Testing

@testable import hdrconvert

@Suite("Output file") struct OutputFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hdrconvert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func appearsWhole() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1, 2, 3])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([1, 2, 3]))
    #expect(try names == ["a"])
  }

  @Test func replacesOnlyWhenAllowed() throws {
    let file = OutputFile(path: path("a"), mayReplace: false)
    try file.write([1])
    #expect(throws: ImageError.self) { try file.check() }
    #expect(throws: ImageError.self) { try file.write([2]) }
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([1]))
    try OutputFile(path: path("a"), mayReplace: true).write([3])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([3]))
    #expect(try names == ["a"])
  }

  @Test func namesAMissingFolder() throws {
    let file = OutputFile(path: path("none/a"), mayReplace: false)
    let error = #expect(throws: ImageError.self) { try file.check() }
    #expect(error?.code == .cannotCreate)
    #expect(error?.location.file == path("none/a"))
  }

  @Test func leavesDevicesInPlace() throws {
    try OutputFile(path: "/dev/null", mayReplace: true).write([1, 2, 3])
    var isFolder: ObjCBool = false
    #expect(unsafe FileManager.default.fileExists(atPath: "/dev/null", isDirectory: &isFolder))
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType != .typeRegular)
  }
}
