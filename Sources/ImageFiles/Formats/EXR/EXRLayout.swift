// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The part and channels of the image, and its data and display windows.
package struct EXRLayout: Sendable {
  package enum ColorModel {
    case rgb
    case gray
    /// Luminance and two color differences, which have a quarter of the samples if `isSubsampled`.
    case luminanceChroma(isSubsampled: Bool)
  }

  package var colorModel: ColorModel
  /// Channel names in the file, in the order of `colorModel`, alpha last.
  package var channels: [String]
  package var hasAlpha: Bool
  package var partIndex: Int
  /// Number of the image in `EXRImages`.
  package var number: Int
  package var part: EXRHeader.Part
  package var dataWindow: EXRHeader.Window
  package var displayWindow: EXRHeader.Window
  /// Number of rows per chunk.
  package var chunkHeight: Int
  package var notices: [Notice] = []

  /// - Parameters:
  ///   - header: The headers of a file.
  ///   - selection: The part, layer or view; `nil` for the one that people mean.
  /// - Throws: `.unsupported` for a file without an image, `.malformed` for missing attributes,
  ///   `.invalidArgument` for a selection that does not exist.
  package init(of header: EXRHeader, _ selection: OpeningOptions.ImageSelection? = nil)
    throws(ImageError)
  {
    let images = EXRImages(of: header)
    guard let choice = try images.chosen(selection) else {
      let isDeep = header.parts.allSatisfy(\.isDeep)
      throw ImageError(
        isDeep
          ? ErrorCode(.unsupported, "deep images are not supported")
          : ErrorCode(.unsupported, "no layer has R, G and B, or Y; channels: {channels channel}"),
        ["channels": header.parts[0].channels.map(\.name)],
        at: .init(path: ["channels"], offset: header.end))
    }
    (colorModel, channels, hasAlpha, partIndex) = (
      choice.colorModel, choice.channels, choice.hasAlpha, choice.partIndex
    )
    number = choice.number
    part = header.parts[partIndex]
    guard let data = part.dataWindow, let display = part.displayWindow,
      let compression = part.compression
    else {
      throw ImageError(
        .missingElement, ["element": "dataWindow, displayWindow or compression"],
        at: .init(path: ["part \(partIndex)"], offset: header.end))
    }
    (dataWindow, displayWindow) = (data, display)
    guard let height = part.isTiled ? part.tile?.height : Self.linesPerChunk(compression) else {
      throw ImageError(
        .unsupportedValue,
        [
          "field": part.isTiled ? "size of tiles" : "compression",
          "value": part.isTiled ? "unknown" : "\(compression)",
        ], at: .init(path: ["part \(partIndex)"], offset: header.end))
    }
    chunkHeight = height
    if selection == nil { notices = images.notices(of: choice) }
    notices += ignored(in: header)
    if abs(part.pixelAspectRatio - 1) > 0.001 {
      notices.append(
        Notice(
          .dropped, "dropped: pixel aspect ratio {ratio}", ["ratio": Double(part.pixelAspectRatio)],
          at: .init(path: ["pixelAspectRatio"])))
    }
  }

  /// Throws an error if the declared size exceeds the limits, or the chunks exceed the file.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - chunksAtOnce: Number of chunks in memory at a time; OpenEXR keeps two per thread.
  ///   - headerEnd: Offset of the end of the headers.
  ///   - fileSize: Size of the file in bytes.
  /// - Throws: `.limitExceeded`, `.truncated`.
  package func check(
    limits: ImageLimits, chunksAtOnce: Int, headerEnd: Int, fileSize: Int
  ) throws(ImageError) {
    try limits.check(
      width: dataWindow.width, height: dataWindow.height, in: "dataWindow", at: headerEnd)
    try limits.check(
      width: displayWindow.width, height: displayWindow.height, in: "displayWindow", at: headerEnd)

    var chunks = (dataWindow.height - 1) / chunkHeight + 1
    var chunkWidth = dataWindow.width
    if part.isTiled, let tile = part.tile {
      chunkWidth = max(tile.width, dataWindow.width)
      chunks *= (dataWindow.width - 1) / tile.width + 1
    }
    guard chunks <= (fileSize - headerEnd) / 8 else {
      throw ImageError(
        .truncated, "{count chunk} declared; a file of {size byte} cannot contain them",
        ["count": chunks, "size": fileSize], at: .init(offset: headerEnd))
    }
    // Size of chunks, or rows of tiles, with all channels of the part.
    let pixel = part.channels.reduce(0) { $0 + $1.bytesPerSample }
    let (area, overflow) = chunkWidth.multipliedReportingOverflow(by: chunkHeight)
    let (size, overflow2) = area.multipliedReportingOverflow(by: pixel * max(chunksAtOnce, 1))
    guard !overflow, !overflow2, size <= limits.memory else {
      throw ImageError(
        .exrChunkLimitExceeded,
        [
          "size": .size(chunkWidth, chunkHeight), "channels": part.channels.count,
          "memory": overflow || overflow2 ? Int.max : size, "limit": limits.memory,
        ], at: .init(path: ["part \(partIndex)"], offset: headerEnd))
    }
  }

  /// Source: OpenEXR File Layout, "Scan line blocks".
  private static func linesPerChunk(_ compression: UInt8) -> Int? {
    switch compression {
    case 0, 1, 2: 1  // None, RLE, ZIPS.
    case 3, 5: 16  // ZIP, PXR24.
    case 4, 6, 7, 8: 32  // PIZ, B44, B44A, DWAA.
    case 9: 256  // DWAB.
    default: nil
    }
  }

  package var components: ImageLayout.Components {
    if case .gray = colorModel { .gray } else { .rgb }
  }

  /// Whether the components are X, Y and Z.
  package var isXYZ: Bool { components == .rgb && part.chromaticities?.isXYZ == true }

  /// Maximum number of channel names in a notice.
  private static let mostNames = 1000

  /// One notice for all channels and parts that are not read.
  private func ignored(in header: EXRHeader) -> [Notice] {
    let channels = part.channels.map(\.name).filter { !self.channels.contains($0) }
    let parts = header.parts.count - 1
    var texts = channels.prefix(Self.mostNames).map { "channel \($0)" }
    if parts > 0 { texts.append("\(parts) other part\(parts > 1 ? "s" : "")") }
    guard !texts.isEmpty else { return [] }
    return [
      Notice(.dropped, "not read: {items item}", ["items": texts], at: .init(path: ["channels"]))
    ]
  }
}

extension EXRHeader.Part {
  package var isDeep: Bool { !isTiled && type != "scanlineimage" }
  package var isTiled: Bool { type == "tiledimage" }
}
