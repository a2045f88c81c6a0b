#if EXR
internal import HDRCore

/// Which channels of which part make up the picture, and where its pixels lie.
struct EXRLayout {
  enum Kind {
    case rgb
    case gray
    /// Luminance and two color differences, each of these a quarter of the pixels if
    /// `isSubsampled`.
    case luminanceChroma(isSubsampled: Bool)
  }

  var kind: Kind
  /// Names of the channels in the file: as `kind` says, alpha last.
  var channels: [String]
  var hasAlpha: Bool
  var partIndex: Int
  var part: EXRHeader.Part
  var dataWindow: EXRHeader.Window
  var displayWindow: EXRHeader.Window
  /// Rows that are decoded together.
  var chunkHeight: Int
  var notices: [Notice] = []

  init(of header: EXRHeader) throws(ImageError) {
    guard let choice = Self.choose(from: header) else {
      let isDeep = header.parts.allSatisfy(\.isDeep)
      throw ImageError(
        .unsupported,
        isDeep
          ? "deep data, which has no single value per pixel"
          : "no layer has R, G and B, or Y; \(header.parts[0].channelList)",
        at: .init(path: ["channels"], offset: header.end))
    }
    (kind, channels, hasAlpha, partIndex) = (
      choice.kind, choice.channels, choice.hasAlpha, choice.partIndex
    )
    part = header.parts[partIndex]
    guard let data = part.dataWindow, let display = part.displayWindow,
      let compression = part.compression
    else {
      throw ImageError(
        .malformed, "dataWindow, displayWindow or compression is missing",
        at: .init(path: ["part \(partIndex)"], offset: header.end))
    }
    (dataWindow, displayWindow) = (data, display)
    guard let height = part.isTiled ? part.tile?.height : Self.linesPerChunk(compression) else {
      throw ImageError(
        .unsupported, part.isTiled ? "tiles of unknown size" : "compression \(compression)",
        at: .init(path: ["part \(partIndex)"], offset: header.end))
    }
    chunkHeight = height
    notices = choice.notices
    notices += ignored(in: header)
  }

  /// Fails if the header asks for more than the limits or more than the file can hold.
  func check(
    limits: ImageLimits, threads: Int, headerEnd: Int, fileSize: Int
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
        .truncated, "\(chunks) chunks in a file of \(fileSize) bytes",
        at: .init(offset: headerEnd))
    }
    // OpenEXR keeps two chunks per thread, or one row of tiles, with all channels of the part.
    let pixel = part.channels.reduce(0) { $0 + $1.bytesPerSample }
    let (area, overflow) = chunkWidth.multipliedReportingOverflow(by: chunkHeight)
    let (size, overflow2) = area.multipliedReportingOverflow(by: pixel * 2 * max(threads, 1))
    guard !overflow, !overflow2, size <= limits.memory else {
      throw ImageError(
        .limitExceeded,
        "chunks of \(chunkWidth)x\(chunkHeight) pixels with \(part.channels.count) channels",
        at: .init(path: ["part \(partIndex)"], offset: headerEnd),
        remedy: "raise --memory-limit if you trust this file")
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

  var components: StoredFormat.Components {
    if case .gray = kind { .gray } else { .rgb }
  }

  /// Whether the components are X, Y and Z.
  var isXYZ: Bool {
    components == .rgb && part.chromaticities?.isXYZ == true
  }

  /// One notice for everything that the picture leaves aside.
  private func ignored(in header: EXRHeader) -> [Notice] {
    let channels = part.channels.map(\.name).filter { !self.channels.contains($0) }
    let parts = header.parts.count - 1
    var texts: [String] = []
    if !channels.isEmpty {
      let names = channels.prefix(8).joined(separator: ", ")
      texts.append("channels \(names)\(channels.count > 8 ? " and others" : "")")
    }
    if parts > 0 { texts.append("\(parts) other part\(parts > 1 ? "s" : "")") }
    guard !texts.isEmpty else { return [] }
    return [
      Notice(
        .lost, "not read: \(texts.joined(separator: "; "))", at: .init(path: ["channels"]))
    ]
  }
}

extension EXRLayout {
  private struct Choice {
    var kind: Kind
    var channels: [String]
    var hasAlpha: Bool
    var partIndex: Int
    var notices: [Notice] = []
  }

  /// The first part with a picture in its default layer, else the first with one in a named layer,
  /// else the first with a single channel.
  private static func choose(from header: EXRHeader) -> Choice? {
    let flat = header.parts.indices.filter { !header.parts[$0].isDeep }
    for index in flat {
      if let choice = picture(in: header.parts[index], partIndex: index, layer: "") {
        return choice
      }
    }
    for index in flat {
      for layer in header.parts[index].layers {
        guard
          var choice = picture(in: header.parts[index], partIndex: index, layer: layer + ".")
        else { continue }
        choice.notices = [
          Notice(
            .assumed, "no default layer; layer \(layer) is the picture",
            at: .init(path: ["channels"]))
        ]
        return choice
      }
    }
    for index in flat {
      let colors = header.parts[index].channels.filter { $0.name != "A" }
      guard colors.count == 1, colors[0].xSampling == 1, colors[0].ySampling == 1 else { continue }
      var choice = finish(.gray, [colors[0].name], in: header.parts[index], index, layer: "")
      choice.notices = [
        Notice(
          .assumed, "the single channel \(colors[0].name) is shown as gray",
          at: .init(path: ["channels"]))
      ]
      return choice
    }
    return nil
  }

  private static func picture(
    in part: EXRHeader.Part, partIndex: Int, layer: String
  ) -> Choice? {
    func has(_ name: String, sampling: Int32 = 1) -> Bool {
      part.channels.contains {
        $0.name == layer + name && $0.xSampling == sampling && $0.ySampling == sampling
      }
    }
    if has("R"), has("G"), has("B") {
      return finish(
        .rgb, [layer + "R", layer + "G", layer + "B"], in: part, partIndex, layer: layer)
    }
    guard has("Y") else { return nil }
    let names = [layer + "Y", layer + "RY", layer + "BY"]
    for sampling: Int32 in [2, 1] where has("RY", sampling: sampling) {
      guard has("BY", sampling: sampling) else { continue }
      return finish(
        .luminanceChroma(isSubsampled: sampling == 2), names, in: part, partIndex, layer: layer)
    }
    return finish(.gray, [layer + "Y"], in: part, partIndex, layer: layer)
  }

  private static func finish(
    _ kind: Kind, _ names: [String], in part: EXRHeader.Part, _ partIndex: Int, layer: String
  ) -> Choice {
    let hasAlpha = part.channels.contains {
      $0.name == layer + "A" && $0.xSampling == 1 && $0.ySampling == 1
    }
    return Choice(
      kind: kind, channels: names + (hasAlpha ? [layer + "A"] : []), hasAlpha: hasAlpha,
      partIndex: partIndex)
  }
}

extension EXRHeader.Part {
  var isDeep: Bool { !isTiled && type != "scanlineimage" }
  var isTiled: Bool { type == "tiledimage" }

  /// Names before the last dot, in the order of the file.
  fileprivate var layers: [String] {
    var layers: [String] = []
    for channel in channels {
      guard let dot = channel.name.lastIndex(of: ".") else { continue }
      let layer = String(channel.name[..<dot])
      if layers.last != layer, !layers.contains(layer) { layers.append(layer) }
    }
    return layers
  }

  fileprivate var channelList: String {
    if channels.isEmpty { return "there are no channels" }
    let names = channels.prefix(8).map(\.name).joined(separator: ", ")
    return "the channels are \(names)\(channels.count > 8 ? " and others" : "")"
  }
}
#endif
