// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import HDRCore
package import ImageFiles

/// Layout of the samples of an image.
package struct LayoutReport: ReportObject {
  package static let schemaName = "layout"
  package let width: Int
  package let height: Int
  package let components: String
  package let chroma: String?
  package let sampleType: String
  /// `nil` for samples that share bits.
  package let bitsPerSample: Int?
  package let hasAlpha: Bool
  /// `nil` without alpha.
  package let isAlphaPremultiplied: Bool?
  package let range: String

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, components, chroma, sampleType, bitsPerSample, hasAlpha
    case isAlphaPremultiplied, range
  }

  package init(_ format: ImageLayout, isFullRange: Bool) {
    width = format.width
    height = format.height
    switch format.components {
    case .gray: (components, chroma) = ("gray", nil)
    case .rgb: (components, chroma) = ("rgb", nil)
    case .ycbcr(let subsampling): (components, chroma) = ("ycbcr", subsampling.rawValue)
    }
    switch format.samples {
    case .integer(let bits): (sampleType, bitsPerSample) = ("integer", bits)
    case .half: (sampleType, bitsPerSample) = ("float", 16)
    case .float: (sampleType, bitsPerSample) = ("float", 32)
    }
    hasAlpha = format.hasAlpha
    isAlphaPremultiplied = hasAlpha ? format.isAlphaPremultiplied : nil
    range = isFullRange ? "full" : "limited"
  }

  /// The layout of an image in a file, which may have components and floats of other sizes.
  package init(_ image: FileImage) {
    let layout = LayoutReport(image.layout, isFullRange: image.isFullRange)
    (width, height, chroma) = (layout.width, layout.height, layout.chroma)
    components = image.isCMYK ? "cmyk" : layout.components
    sampleType = layout.sampleType
    bitsPerSample = layout.sampleType == "float" ? image.floatBits : layout.bitsPerSample
    (hasAlpha, range) = (layout.hasAlpha, layout.range)
    isAlphaPremultiplied = layout.isAlphaPremultiplied
  }
}
