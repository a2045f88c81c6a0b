import HDRCore
import ImageContainers
import Testing

/// Files of the corpus that must read.
let readableFiles = Corpus.files(
  in: [
    "avif-gainmap", "avif-gainmap-broken", "avif-hdr", "avif-sdr-deep", "heic-apple",
    "heic-apple-tmap", "heic-gainmap-other", "heic-hdr", "peer-made",
  ], extensions: ["avif", "heic", "hif"])

@Suite("HEIF files", .enabled(if: Corpus.isPresent, "needs the corpus"))
struct HEIFFileCorpusTests {
  @Test(arguments: readableFiles)
  func readsAllItems(name: String) throws {
    let file = try HEIFFile(parsing: ByteSource(path: Corpus.path(name)))
    #expect(try file.primaryItem.property(ImageSpatialExtentsBox.self) != nil)
    for item in file.items where item.data != .absent {
      _ = try file.data(of: item.id)
    }
  }
}

extension HEIFFileCorpusTests {
  @Test(arguments: readableFiles)
  func rewritesUnchanged(name: String) throws {
    let file = try HEIFFile(parsing: ByteSource(path: Corpus.path(name)))
    let bytes = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(bytes))
    #expect(again == file)
    for item in file.items where item.data != .absent {
      #expect(try again.data(of: item.id) == file.data(of: item.id))
    }
  }
}
