// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXLFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.jxl, source) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try JPEGXLInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    isBareCodestream ? [StructureNode("codestream", 0..<file.source.count)] : try file.boxNodes
  }
}
