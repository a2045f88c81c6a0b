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
  package var part: EXRHeader.Part
  package var dataWindow: EXRHeader.Window
  package var displayWindow: EXRHeader.Window
  /// Number of rows per chunk.
  package var chunkHeight: Int
  package var notices: [Notice] = []

  package init(of header: EXRHeader) throws(ImageError) {
    guard let choice = Self.choose(from: header) else {
      let isDeep = header.parts.allSatisfy(\.isDeep)
      throw ImageError(
        isDeep ? .exrDeepData : .exrNoColorChannels,
        ["channels": header.parts[0].channels.map(\.name)],
        at: .init(path: ["channels"], offset: header.end))
    }
    (colorModel, channels, hasAlpha, partIndex) = (
      choice.colorModel, choice.channels, choice.hasAlpha, choice.partIndex
    )
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
    notices = choice.notices
    notices += ignored(in: header)
    if abs(part.pixelAspectRatio - 1) > 0.001 {
      notices.append(
        Notice(
          .exrPixelAspectDropped, ["ratio": Double(part.pixelAspectRatio)],
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
        .exrChunksTruncated, ["count": chunks, "size": fileSize], at: .init(offset: headerEnd))
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
  package var isXYZ: Bool {
    components == .rgb && part.chromaticities?.isXYZ == true
  }

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
      Notice(.exrChannelsNotRead, ["items": texts], at: .init(path: ["channels"]))
    ]
  }
}

extension EXRLayout {
  private struct Choice {
    package var colorModel: ColorModel
    package var channels: [String]
    package var hasAlpha: Bool
    package var partIndex: Int
    package var notices: [Notice] = []
  }

  /// Chooses the part and layer of the image.
  ///
  /// The first part with an image in its default layer, else the first with an image in a named
  /// layer, else the first with a single channel.
  private static func choose(from header: EXRHeader) -> Choice? {
    let candidates = header.parts.indices.filter { !header.parts[$0].isDeep }
      .map { Candidate(header.parts[$0], index: $0) }
    for candidate in candidates {
      if let choice = candidate.image(in: "") { return choice }
    }
    for candidate in candidates {
      for layer in candidate.layers {
        guard var choice = candidate.image(in: layer + ".") else { continue }
        choice.notices = [
          Notice(.exrLayerAssumed, ["layer": layer], at: .init(path: ["channels"]))
        ]
        return choice
      }
    }
    return candidates.lazy.compactMap(\.singleChannel).first
  }

  /// A part that may contain the image.
  private struct Candidate {
    private let index: Int
    private let names: [String]
    /// Subsampling by channel name, for channels with equal subsampling in both directions.
    private let samplings: [String: Int32]

    package init(_ part: EXRHeader.Part, index: Int) {
      self.index = index
      names = part.channels.map(\.name)
      let square = part.channels.filter { $0.xSampling == $0.ySampling }
      samplings = Dictionary(square.map { ($0.name, $0.xSampling) }) { first, _ in first }
    }

    /// Layer names (channel names up to the last dot), in file order.
    package var layers: [String] {
      var seen: Set<String> = []
      return names.compactMap { name in
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let layer = String(name[..<dot])
        return seen.insert(layer).inserted ? layer : nil
      }
    }

    package func image(in layer: String) -> Choice? {
      func sampling(_ name: String) -> Int32? { samplings[layer + name] }
      if sampling("R") == 1, sampling("G") == 1, sampling("B") == 1 {
        return choice(.rgb, ["R", "G", "B"], in: layer)
      }
      guard sampling("Y") == 1 else { return nil }
      if let chroma = sampling("RY"), 1...2 ~= chroma, chroma == sampling("BY") {
        return choice(
          .luminanceChroma(isSubsampled: chroma == 2), ["Y", "RY", "BY"], in: layer)
      }
      return choice(.gray, ["Y"], in: layer)
    }

    /// The image of a part with a single channel other than alpha.
    package var singleChannel: Choice? {
      let colors = names.filter { $0 != "A" }
      guard colors.count == 1, samplings[colors[0]] == 1 else { return nil }
      var choice = choice(.gray, colors, in: "")
      choice.notices = [
        Notice(.exrChannelAsGray, ["channel": colors[0]], at: .init(path: ["channels"]))
      ]
      return choice
    }

    private func choice(_ colorModel: ColorModel, _ channels: [String], in layer: String) -> Choice
    {
      let hasAlpha = samplings[layer + "A"] == 1
      return Choice(
        colorModel: colorModel, channels: (channels + (hasAlpha ? ["A"] : [])).map { layer + $0 },
        hasAlpha: hasAlpha, partIndex: index)
    }
  }
}

extension EXRHeader.Part {
  package var isDeep: Bool { !isTiled && type != "scanlineimage" }
  package var isTiled: Bool { type == "tiledimage" }
}
