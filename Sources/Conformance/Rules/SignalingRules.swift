// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Rules of ISO 22028-5 about encoding and color.
///
/// Source: the standard, as described by several implementations.
enum SignalingRules {
  private static let core = "ISO 22028-5, core encoding"

  static let all: [Rule] = [
    hdr("H5-TF-1", .must, core, "The transfer function is PQ or HLG", transfer),
    hdr("H5-PRI-1", .must, core, "The primaries are BT.2020", primaries),
    hdr("H5-PRI-2", .ours, core, "PQ and HLG images do not have P3 primaries", p3),
    hdr("H5-BIT-1", .must, core, "Components have at least 10 bits", depth),
    hdr(
      "H5-BIT-2", .must, "AV1 Image File Format, 2.2.1; PNG, 12.4",
      "Declared bit depths are those of the encoded samples",
      effect: "libavif rejects the image; readers of 'sBIT' discard lower bits",
      except: "'pixi' in HEIC, or with another number of channels", declaredDepth),
    hdr("H5-SIG-1", .must, core, "Code points or an ICC profile describe the color", described),
    hdr(
      "H5-SIG-2", .ours, "ICC.1:2022, 9.2.17", "Code points and ICC profile agree",
      effect: "readers differ in which they use", agreement),
    hdr(
      "H5-SIG-3", .ours, "AV1 Image File Format, 2.2.1; MIAF, 7.3.6.4",
      "The bitstream has the code points of the container",
      effect: "video players and hardware decoders use those of the bitstream", bitstream),
    hdr(
      "H5-SIG-4", .must, "ISO/IEC 23008-12, 6.5.5; PNG, 11.3.2.6",
      "The image has one set of code points and at most one profile",
      effect: "libavif and libjxl reject duplicates; libpng ignores late chunks",
      except: "without code points", once),
    hdr(
      "H5-MTX-1", .ours, "ITU-T H.273, table 4; BT.2100, table 6",
      "The matrix is identity or BT.2020 non-constant luminance",
      effect: "libavif does not convert constant luminance and ICtCp; libpng ignores such 'cICP'",
      except: "matrices of other primaries", matrix),
    hdr("H5-RNG-1", .should, core, "Samples use the full range", range),
    hdr(
      "H5-BRAND-1", .must, "ISO/IEC 23008-12, annex B; AV1 Image File Format, 6",
      "The brands are those of images with more than 8 bits",
      effect: "libavif rejects files without 'avif'", except: "brands of HEIF and MIAF", brands),
    hdr(
      "H5-PROP-1", .should, "ISO/IEC 23008-12, 6.5.1",
      "Light metadata precede cropping and rotation", order),
    hdr("H5-SCENE-1", .ours, core, "Only HLG is scene-referred", scene),
    hdr("H5-SDR-1", .ours, core, "PQ and HLG are not stored in 8 bits or fewer", eightBits),
  ]

  private static func hdr(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil, _ check: @escaping Rule.Check
  ) -> Rule {
    Rule(
      "22028-5/\(id)", .iso22028, level, source, title, effect: effect, except: exception,
      check: check)
  }

  private static func transfer(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    guard let color = checked.color.effective else {
      return [Finding("PQ or HLG not signaled", declared: try fallback(checked))]
    }
    guard !color.value.isHighDynamicRange else { return [] }
    return [
      Finding(
        "transfer function \(color.value.transfer.name)", at: color.location,
        declared: color.value.title)
    ]
  }

  /// The assumed transfer function.
  private static func fallback(_ checked: CheckedFile) throws(ImageError) -> String {
    "\(try checked.opened.get().image.color.transfer)"
  }

  private static func primaries(_ checked: CheckedFile) -> [Finding]? {
    guard let color = checked.color.effective else { return nil }
    guard color.value.primaries != .bt2020 else { return [] }
    return [
      Finding(
        "primaries \(color.value.primaries.name)", at: color.location,
        declared: color.value.title)
    ]
  }

  private static func p3(_ checked: CheckedFile) -> [Finding]? {
    guard let color = checked.color.effective, color.value.isHighDynamicRange else { return nil }
    guard color.value.primaries == .displayP3 || color.value.primaries == .dciP3 else { return [] }
    return [
      Finding(
        "P3 primaries with PQ or HLG (outside of ISO 22028-5)", at: color.location,
        declared: color.value.title)
    ]
  }

  private static func depth(_ checked: CheckedFile) -> [Finding]? {
    let depths = checked.color.depths
    guard !depths.isEmpty else { return nil }
    guard let least = depths.min(by: { $0.value < $1.value }), least.value < 10 else { return [] }
    return [Finding("\(least.value) bits", at: least.location)]
  }

  private static func declaredDepth(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    if let heif = checked.heif, let primary = heif.primary {
      return try HEIFPropertyRules.pixelInformation(of: primary, in: heif)
    }
    guard checked.png != nil else { return nil }
    return try SignificantBits.findings(checked)
  }

  private static func described(_ checked: CheckedFile) -> [Finding]? {
    let isSpecified =
      !checked.color.profiles.isEmpty
      || checked.color.codePoints.contains { $0.value.transfer != .unspecified }
    return isSpecified ? [] : [Finding("neither code points nor an ICC profile")]
  }

  private static func agreement(_ checked: CheckedFile) -> [Finding]? {
    guard let declared = checked.color.codePoints.first,
      let profile = checked.color.profiles.first, let cicp = profile.readable?.cicp
    else { return nil }
    let points = declared.value
    let primariesAgree = points.primaries == cicp.primaries || points.primaries == .unspecified
    let transfersAgree = points.transfer == cicp.transfer || points.transfer == .unspecified
    guard !primariesAgree || !transfersAgree else { return [] }
    return [
      Finding(
        "the profile has \(cicp.primaries.name) and \(cicp.transfer.name)",
        at: profile.location, declared: points.title, measured: cicp.title,
        fix: points.isHighDynamicRange ? .dropProfile : .setCICP(cicp))
    ]
  }

  private static func bitstream(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    guard let heif = checked.heif, let primary = heif.primary else { return nil }
    return try HEIFPropertyRules.bitstreamColor(of: primary, in: heif)
  }

  private static func once(_ checked: CheckedFile) -> [Finding]? {
    if let png = checked.png {
      let places = png.file.chunks.indices.filter { png.file.chunks[$0].type == .codePoints }
      guard let first = places.first else { return nil }
      let limit = png.file.chunks.firstIndex { $0.type == .palette || $0.type == .imageData }
      var findings = places.dropFirst().map {
        Finding("duplicate cICP", at: png.location(ofChunk: $0), fix: .correctStructure)
      }
      if let limit, first > limit {
        findings.append(
          Finding(
            "cICP after the samples", at: png.location(ofChunk: first), fix: .correctStructure))
      }
      return findings
    }
    guard let heif = checked.heif, let primary = heif.primary else { return nil }
    var findings = HEIFPropertyRules.repeatedColor(of: primary, in: heif)
    if checked.color.codePoints.isEmpty {
      findings.append(Finding("no code points", at: heif.location(primary), isHarmless: true))
    }
    return findings
  }

  private static func matrix(_ checked: CheckedFile) -> [Finding]? {
    guard let declared = checked.color.codePoints.first else { return nil }
    let matrix = declared.value.matrix
    if matrix == .identity || checked.png == nil && matrix == .bt2020NonConstant { return [] }
    // H.273: constant luminance of BT.2020 and others, SMPTE ST 2085 and ICtCp.
    let isUnsupported = checked.png != nil || [10, 11, 13, 14].contains(matrix.rawValue)
    return [
      Finding(
        "\(matrix.numberedName)", at: declared.location,
        declared: declared.value.title, isHarmless: !isUnsupported)
    ]
  }

  private static func range(_ checked: CheckedFile) -> [Finding]? {
    guard let declared = checked.color.codePoints.first else { return nil }
    return declared.value.isFullRange
      ? [] : [Finding("narrow range", at: declared.location, declared: declared.value.title)]
  }

  private static func brands(_ checked: CheckedFile) -> [Finding]? {
    guard let heif = checked.heif, heif.primary != nil else { return nil }
    let brands = heif.file.fileType
    let place = ImageError.Location(path: ["ftyp"], offset: 0)
    var needed: [FourCC] = ["mif1", "miaf"]
    if heif.isAVIF {
      needed.append("avif")
    } else if heif.missingHEVCBrand == "heix" {
      needed.append("heix")
    }
    // Conformance to MIAF does not follow from the structure.
    return needed.filter { !brands.contains($0) }.map {
      Finding(
        "no brand '\($0)'", at: place, fix: $0 == "miaf" ? nil : .correctStructure,
        isHarmless: $0 != "avif")
    }
  }

  private static func order(_ checked: CheckedFile) -> [Finding]? {
    guard let heif = checked.heif, let primary = heif.primary else { return nil }
    return HEIFPropertyRules.orderFindings(of: primary, in: heif) {
      HEIFItem.lightTypes.contains($0.type)
    }
  }

  private static func scene(_ checked: CheckedFile) -> [Finding]? {
    guard let profile = checked.color.profiles.first(where: { $0.readable?.imageState == .scene })
    else { return nil }
    guard let color = checked.color.effective, color.value.transfer != .hlg else { return [] }
    return [
      Finding(
        "scene-referred with transfer function \(color.value.transfer.name)",
        at: profile.location, fix: .dropProfile)
    ]
  }

  private static func eightBits(_ checked: CheckedFile) -> [Finding]? {
    guard checked.color.isHighDynamicRange,
      let most = checked.color.depths.max(by: { $0.value < $1.value })
    else { return nil }
    return most.value > 8
      ? [] : [Finding("PQ or HLG in \(most.value) bits", at: most.location)]
  }
}

/// Checks that PNG samples have only the bits that `sBIT` specifies, in one of the scalings that the
/// standard allows.
enum SignificantBits {
  /// - Returns: `nil` for a file without `sBIT` of fewer than 16 bits.
  static func findings(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    guard let png = checked.png, png.file.header.bitDepth == 16,
      let bits = try png.file.content(PNGSignificantBits.self)?.bits,
      bits.count == png.file.header.colorType.channels, bits.contains(where: { $0 < 16 }),
      bits.allSatisfy({ (1...16).contains($0) })
    else { return nil }
    var whole = png.file
    whole.remove(.significantBits)
    let image = try SourceImage(decoding: checked.file.replacing(.png(whole))).image
    guard case .integer(bits: 16) = image.layout.samples else {
      throw ImageError(.unsupported, "an ICC profile changes the samples")
    }
    let reader = try image.makeReader()
    var scalings = bits.map { count in Scaling.allCases.map { $0.table(bits: Int(count)) } }
    var first = 0
    while first < image.layout.height {
      let rows = first..<min(first + 64, image.layout.height)
      if let finding = finding(try reader.read(rows: rows), bits, &scalings, at: rows, in: png) {
        return [finding]
      }
      first = rows.upperBound
    }
    return []
  }

  /// Scaling of the bits that `sBIT` specifies to samples of 16 bits.
  ///
  /// Source: PNG Third Edition, 12.4.
  private enum Scaling: CaseIterable {
    /// The upper bits are repeated.
    case replication
    /// The equation: v * 65535 / maximum, rounded.
    case linear
    /// The lower bits are 0.
    case shift

    /// The sample of each value.
    func table(bits: Int) -> [UInt16] {
      let largest = 1 << bits - 1
      return (0...largest).map { value in
        switch self {
        case .replication:
          var (result, shift) = (0, 16 - bits)
          while shift > -bits {
            result |= shift >= 0 ? value << shift : value >> -shift
            shift -= bits
          }
          return UInt16(truncatingIfNeeded: result)
        case .linear:
          return UInt16(truncatingIfNeeded: (2 * value * 65_535 + largest) / (2 * largest))
        case .shift: return UInt16(truncatingIfNeeded: value << (16 - bits))
        }
      }
    }
  }

  /// Removes the scalings of each plane that its samples contradict, and finds a sample that
  /// contradicts all of them.
  private static func finding(
    _ strip: ImagePlanes, _ bits: [UInt8], _ scalings: inout [[[UInt16]]], at rows: Range<Int>,
    in png: CheckedPNG
  ) -> Finding? {
    guard case .integer(let planes) = strip.planes else { return nil }
    for (index, plane) in planes.enumerated() where index < bits.count && bits[index] < 16 {
      let shift = 16 - UInt16(bits[index])
      var tables = scalings[index]
      defer { scalings[index] = tables }
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in row.indices {
          let (sample, value) = (row[x], Int(row[x] >> shift))
          guard !tables.allSatisfy({ $0[value] == sample }) else { continue }
          tables.removeAll { $0[value] != sample }
          guard tables.isEmpty else { continue }
          return Finding(
            "a sample of \(sample) at \(x), \(rows.lowerBound + y) has more than \(bits[index]) bits",
            at: png.location(.significantBits), declared: "\(bits[index]) bits")
        }
      }
    }
    return nil
  }
}
