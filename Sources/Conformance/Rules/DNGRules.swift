// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of DNG: levels, crops, matrices, opcodes and profiles.
enum DNGRules {
  private static let text = "DNG 1.7.1"

  static let all: [Rule] = [
    dng("version", "\(text), chapter 4, DNGVersion", "DNGBackwardVersion is not above DNGVersion") {
      (dng) throws(ImageError) in try dng.versions()
    },
    dng("camera-model", "\(text), chapter 4, UniqueCameraModel", "UniqueCameraModel is present") {
      (dng) throws(ImageError) in try dng.cameraModel()
    },
    dng(
      "samples", "TIFF 6.0, sections 3 and 15", "The samples of raw images are in the file",
      effect: "readers refuse the file or show a part"
    ) { (dng) throws(ImageError) in try dng.samples() },
    dng(
      "active-area", "\(text), chapter 4, ActiveArea", "ActiveArea is inside the image",
      effect: "the Adobe DNG SDK rejects the file"
    ) { (dng) throws(ImageError) in try dng.activeArea() },
    dng(
      "crop", "\(text), chapter 4, DefaultCropSize", "The default crop is inside ActiveArea",
      effect: "readers differ in the part that they show"
    ) { (dng) throws(ImageError) in try dng.crop() },
    dng(
      "levels", "\(text), chapter 5", "Black levels are below white levels",
      effect: "the image cannot be scaled"
    ) { (dng) throws(ImageError) in try dng.levels() },
    dng(
      "color-matrix", "\(text), chapter 6, ColorMatrix1",
      "Color images have an invertible ColorMatrix1",
      effect: "the Adobe DNG SDK rejects the file; others assume colors"
    ) { (dng) throws(ImageError) in try dng.colorMatrix() },
    dng(
      "white-point", "\(text), chapter 6, AsShotNeutral",
      "The white point is positive and specified once"
    ) { (dng) throws(ImageError) in try dng.whitePoint() },
    dng(
      "opcodes", "\(text), chapter 7", "Opcode lists have their sizes",
      effect: "the Adobe DNG SDK rejects the file"
    ) { (dng) throws(ImageError) in try dng.opcodes() },
    dng(
      "profile-tables", "\(text), chapter 6, ProfileHueSatMapData1",
      "Tables have three numbers for each entry"
    ) { (dng) throws(ImageError) in try dng.tables() },
    dng(
      "tone-curve", "\(text), chapter 6, ProfileToneCurve", "Tone curves rise from 0, 0 to 1, 1",
      effect: "readers ignore the curve"
    ) { (dng) throws(ImageError) in try dng.toneCurve() },
  ]

  private static func dng(
    _ id: String, _ source: String, _ title: String, effect: String? = nil,
    _ check: @escaping @Sendable (CheckedDNG) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("dng/\(id)", .dng, .must, source, title, effect: effect) {
      (checked) throws(ImageError) -> [Finding]? in try checked.dng.flatMap(check)
    }
  }
}

extension CheckedDNG {
  fileprivate func versions() throws(ImageError) -> [Finding]? {
    guard let version = try bytes(.dngVersion, in: main), version.count == 4 else {
      return [Finding("DNGVersion is not four numbers", at: location(.dngVersion, in: main))]
    }
    guard let backward = try bytes(.dngBackwardVersion, in: main) else { return [] }
    guard backward.count == 4, !version.lexicographicallyPrecedes(backward) else {
      func text(_ numbers: [UInt8]) -> String {
        numbers.prefix(4).map(String.init).joined(separator: ".")
      }
      return [
        Finding(
          "DNGBackwardVersion is \(text(backward)), DNGVersion \(text(version))",
          at: location(.dngBackwardVersion, in: main), declared: text(backward))
      ]
    }
    return []
  }

  fileprivate func cameraModel() throws(ImageError) -> [Finding]? {
    let model = try main.entries[.uniqueCameraModel].flatMap { entry throws(ImageError) in
      try file.text(entry)
    }
    guard model?.isEmpty ?? true else { return [] }
    return [Finding("UniqueCameraModel is missing", at: location(.uniqueCameraModel, in: main))]
  }

  fileprivate func samples() throws(ImageError) -> [Finding]? {
    guard !raws.isEmpty else { return nil }
    return try raws.map { (directory) throws(ImageError) -> Finding? in
      let isTiled = directory.entries[.tileOffsets] != nil
      let (tag, sizes): (TIFFTag, TIFFTag) =
        isTiled ? (.tileOffsets, .tileByteCounts) : (.stripOffsets, .stripByteCounts)
      let chunks = zip(
        try numbers(tag, in: directory) ?? [], try numbers(sizes, in: directory) ?? [])
      let missing = chunks.count { $0 + $1 > Double(file.source.count) || $1 == 0 }
      guard missing > 0 || directory.entries[tag] == nil else { return nil }
      let noun = isTiled ? "tile" : "strip"
      return Finding(
        missing == 0
          ? "no strips or tiles"
          : "\(missing) \(missing == 1 ? noun : noun + "s") beyond the end of the file "
            + "(\(file.source.count) bytes)",
        at: location(tag, in: directory))
    }.compactMap(\.self)
  }

  /// Top, left, bottom and right of the active area; `nil` if unspecified or invalid.
  private func area(_ directory: Directory) throws(ImageError) -> [Double]? {
    guard let size = try size(directory) else { return nil }
    guard let area = try numbers(.activeArea, in: directory) else {
      return [0, 0, size.height, size.width]
    }
    guard area.count == 4, area[0] >= 0, area[1] >= 0, area[2] > area[0], area[3] > area[1],
      area[2] <= size.height, area[3] <= size.width
    else { return nil }
    return area
  }

  private func size(_ directory: Directory) throws(ImageError) -> (width: Double, height: Double)? {
    guard let width = try numbers(.imageWidth, in: directory)?.first,
      let height = try numbers(.imageLength, in: directory)?.first
    else { return nil }
    return (width, height)
  }

  fileprivate func activeArea() throws(ImageError) -> [Finding]? {
    let stored = raws.filter { $0.entries[.activeArea] != nil }
    guard !stored.isEmpty else { return nil }
    return try stored.map { (directory) throws(ImageError) -> Finding? in
      guard try area(directory) == nil else { return nil }
      return Finding("ActiveArea is outside the image", at: location(.activeArea, in: directory))
    }.compactMap(\.self)
  }

  fileprivate func crop() throws(ImageError) -> [Finding]? {
    let stored = raws.filter { $0.entries[.defaultCropSize] != nil }
    guard !stored.isEmpty else { return nil }
    return try stored.map { (directory) throws(ImageError) -> Finding? in
      guard let area = try area(directory) else { return nil }
      let size = try numbers(.defaultCropSize, in: directory) ?? []
      let origin = try numbers(.defaultCropOrigin, in: directory) ?? [0, 0]
      let isInside =
        size.count == 2 && origin.count == 2 && origin.allSatisfy { $0 >= 0 }
        && size.allSatisfy { $0 > 0 } && origin[0] + size[0] <= area[3] - area[1]
        && origin[1] + size[1] <= area[2] - area[0]
      return isInside
        ? nil
        : Finding(
          "the default crop is outside ActiveArea", at: location(.defaultCropSize, in: directory))
    }.compactMap(\.self)
  }

  fileprivate func levels() throws(ImageError) -> [Finding]? {
    let stored = raws.filter {
      $0.entries[.blackLevel] != nil && $0.entries[.whiteLevel] != nil
    }
    guard !stored.isEmpty else { return nil }
    return try stored.map { (directory) throws(ImageError) -> Finding? in
      let black = try numbers(.blackLevel, in: directory) ?? []
      let white = try numbers(.whiteLevel, in: directory) ?? []
      let (highest, lowest) = (black.max() ?? .infinity, white.min() ?? -.infinity)
      return highest < lowest
        ? nil
        : Finding(
          "a black level is not below the white level", at: location(.blackLevel, in: directory),
          declared: "black \(highest), white \(lowest)")
    }.compactMap(\.self)
  }

  /// Whether all raw images have one color.
  private var isGray: Bool {
    get throws(ImageError) {
      for directory in raws {
        guard try numbers(.photometric, in: directory)?.first == 34_892,
          try numbers(.samplesPerPixel, in: directory)?.first ?? 1 == 1
        else { return false }
      }
      return true
    }
  }

  fileprivate func colorMatrix() throws(ImageError) -> [Finding]? {
    guard !raws.isEmpty, try !isGray else { return nil }
    let place = location(.colorMatrix1, in: main)
    guard let values = try numbers(.colorMatrix1, in: main) else {
      return [Finding("ColorMatrix1 is missing", at: place)]
    }
    // Matrices of cameras of four colors have twelve numbers.
    guard values.count != 12 else { return [] }
    guard values.count == 9, values.allSatisfy(\.isFinite) else {
      return [Finding("ColorMatrix1 is not nine numbers", at: place)]
    }
    let matrix = Matrix3x3(
      SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
      SIMD3(values[6], values[7], values[8]))
    return matrix.inverse.isFinite ? [] : [Finding("ColorMatrix1 is not invertible", at: place)]
  }

  fileprivate func whitePoint() throws(ImageError) -> [Finding]? {
    let neutral = try numbers(.asShotNeutral, in: main)
    let white = try numbers(.asShotWhiteXY, in: main)
    guard neutral != nil || white != nil else { return nil }
    if neutral != nil, white != nil {
      return [
        Finding(
          "AsShotNeutral and AsShotWhiteXY are both present", at: location(.asShotWhiteXY, in: main)
        )
      ]
    }
    let tag: TIFFTag = neutral == nil ? .asShotWhiteXY : .asShotNeutral
    let values = neutral ?? white ?? []
    let isValid = !values.isEmpty && values.allSatisfy { $0 > 0 && $0.isFinite }
    return isValid
      ? [] : [Finding("the white point is not positive", at: location(tag, in: main))]
  }

  fileprivate func opcodes() throws(ImageError) -> [Finding]? {
    var findings: [Finding] = []
    var hasLists = false
    for directory in raws {
      for (index, tag) in TIFFTag.opcodeLists.enumerated() where directory.entries[tag] != nil {
        hasLists = true
        let list = try bytes(tag, in: directory)
        guard list.map(Self.hasWholeOpcodes) != true else { continue }
        findings.append(
          Finding(
            "OpcodeList\(index + 1) ends before its opcodes", at: location(tag, in: directory)))
      }
    }
    return hasLists ? findings : nil
  }

  /// Whether a list contains the opcodes that it counts.
  private static func hasWholeOpcodes(_ list: [UInt8]) -> Bool {
    func number(_ position: Int) -> Int {
      list[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard list.count >= 4 else { return false }
    var position = 4
    for _ in 0..<number(0) {
      guard list.count - position >= 16 else { return false }
      let size = number(position + 12)
      guard size <= list.count - position - 16 else { return false }
      position += 16 + size
    }
    return true
  }

  fileprivate func tables() throws(ImageError) -> [Finding]? {
    guard let sizes = try numbers(.profileHueSatMapDims, in: main) else { return nil }
    let place = location(.profileHueSatMapData1, in: main)
    guard sizes.count == 3, sizes.allSatisfy({ (1...4096).contains($0) }) else {
      return [
        Finding(
          "ProfileHueSatMapDims is not three numbers above 0",
          at: location(.profileHueSatMapDims, in: main))
      ]
    }
    let count = main.entries[.profileHueSatMapData1]?.count
    let wanted = sizes.reduce(3, *)
    return count.map(Double.init) == wanted
      ? []
      : [
        Finding(
          "ProfileHueSatMapData1 has \(count ?? 0) numbers, not \(Int(clamping: wanted))", at: place
        )
      ]
  }

  fileprivate func toneCurve() throws(ImageError) -> [Finding]? {
    guard let curve = try numbers(.profileToneCurve, in: main) else { return nil }
    let inputs = stride(from: 0, to: curve.count, by: 2).map { curve[$0] }
    let isRising = zip(inputs, inputs.dropFirst()).allSatisfy { $0 < $1 }
    let isValid =
      curve.count >= 4 && curve.count % 2 == 0 && isRising && curve.prefix(2) == [0, 0]
      && curve.suffix(2) == [1, 1]
    return isValid
      ? []
      : [
        Finding(
          "ProfileToneCurve does not rise from 0, 0 to 1, 1",
          at: location(.profileToneCurve, in: main))
      ]
  }
}
