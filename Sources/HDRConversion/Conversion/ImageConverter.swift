// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

/// Converts any readable image to an ISO 22028-5 image, an SDR image or scene-linear values.
package struct ImageConverter: Sendable {
  /// An image ready to be encoded, and the measurements of its conversion.
  package struct Result: Sendable {
    /// The image with its metadata.
    package var output: OutputImage
    /// Measured light levels of the output.
    package var lightLevels: LightLevels
    /// The gain map that was applied, if any.
    package var gainMap: AppliedGainMap?
    /// Report of the rendition, if the image was rendered for a display.
    package var rendering: RenderingReport?
    /// Notices about samples and metadata that were dropped, assumed or clipped.
    package var notices: [Notice]
  }

  /// Properties of the output.
  package var options: ConversionOptions

  /// Creates a converter.
  package init(_ options: ConversionOptions) { self.options = options }

  /// Converts an image, with its gain map applied as `ConversionOptions.gainMap` specifies.
  ///
  /// PQ is not tone mapped: luminances above 10 000 cd/m² are clipped, with a notice. For HLG, content
  /// above 1000 cd/m² is tone mapped by the default operator.
  ///
  /// - Parameter document: The image.
  /// - Returns: The image to encode, its light levels, and notices.
  /// - Throws: `.invalidArgument` for options that contradict each other or the format, errors of
  ///   the decoder, `.cancelled`.
  package func run(_ document: SourceImage) throws(ImageError) -> Result {
    var stages = Stages(
      ExpectedTime.reading(document), ExpectedTime.converting(document.image.layout))
    let prepared = try stages.next { () throws(ImageError) in
      try PreparedConversion(options, document)
    }
    return try stages.next { () throws(ImageError) in try run(prepared, document) }
  }

  func run(_ prepared: PreparedConversion, _ document: SourceImage) throws(ImageError) -> Result {
    let (samples, findings) = try prepared.run()
    let metadata = prepared.metadata
    var image = Image(prepared.output, samples)
    image.light = metadata.resolved(measured: findings.lightLevels)
    image.orientation = prepared.target.orientation
    var output = OutputImage(
      image, signalsCICP: prepared.target.signaling != .icc,
      icc: try prepared.target.profile(measured: findings.lightLevels),
      headroomAdaptation: try prepared.target.bitstreamAdaptation(measured: findings.lightLevels),
      exif: metadata.exif, xmp: metadata.xmp)
    output.auxiliaryMetadata = metadata.auxiliary
    var notices = prepared.notices(of: findings.clipping, findings.changes)
    output.auxiliaries = try auxiliaries(of: document, rotation: prepared.target.rotation, &notices)
    return Result(
      output: output, lightLevels: findings.lightLevels, gainMap: prepared.gainMap,
      rendering: prepared.source.rendering?.report(
        changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
}

extension ImageConverter {
  /// The notice about auxiliary images that the output cannot store; `nil` if it can.
  func droppedAuxiliaries(of document: SourceImage) -> Notice? {
    guard !document.auxiliaries.isEmpty else { return nil }
    let names = document.auxiliaries.map(\.displayName).grouped
    guard options.format.traits.auxiliaryStorage != .none else {
      return Notice(.auxiliaryNotStorable, ["names": names])
    }
    let isWhole = options.geometry.crop == nil && options.geometry.size == nil
    return isWhole ? nil : Notice(.auxiliaryNotCropped, ["names": names])
  }

  /// Returns the auxiliary images of a document, rotated like the output.
  ///
  /// Images that the output cannot store or that cannot be decoded cause a notice.
  ///
  /// - Throws: Errors that end the whole job.
  func auxiliaries(
    of document: SourceImage, rotation: Orientation, _ notices: inout [Notice]
  ) throws(ImageError) -> [AuxiliaryImage] {
    guard !document.auxiliaries.isEmpty else { return [] }
    if let dropped = droppedAuxiliaries(of: document) {
      notices.append(dropped)
      return []
    }
    let storage = options.format.traits.auxiliaryStorage
    var found: [AuxiliaryImage] = []
    for auxiliary in document.auxiliaries {
      do throws(ImageError) {
        let keepsXMP = rotation == .upright && storage == .images
        found.append(
          .init(
            type: auxiliary.type, subtype: auxiliary.subtype,
            image: try Self.encodable(auxiliary.image, rotated: rotation, in: storage),
            xmp: keepsXMP ? auxiliary.xmp : nil))
        if !keepsXMP, auxiliary.xmp != nil {
          let code: NoticeCode =
            storage == .images
            ? NoticeCode(
              .dropped,
              "not copied: XMP of the auxiliary image {type} (it describes the image before "
                + "rotation)"
            )
            : NoticeCode(
              .dropped, "not copied: XMP of the auxiliary image {type} ({format} cannot store it)")
          notices.append(
            Notice(code, ["type": auxiliary.displayName, "format": options.format.title]))
        }
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(
            .dropped, "not copied: auxiliary image {type}: {cause}",
            ["type": auxiliary.displayName, "cause": error],
            at: error.location))
      }
    }
    return found
  }

  /// Returns an image upright and, if it is stored as an image, in a depth of HEVC and AV1: 8 bits,
  /// as programs expect of mattes, unless the file has more.
  private static func encodable(
    _ image: Image, rotated: Orientation, in storage: FormatTraits.AuxiliaryStorage
  ) throws(ImageError) -> Image {
    guard case .integer(let planes) = try image.planes().planes,
      case .integer(let bits) = image.layout.samples
    else {
      throw ImageError(
        .invalidArgument, "auxiliary images of floating-point samples cannot be encoded")
    }
    let plane = planes[0].upright(from: rotated)
    let depth = storage == .channels ? bits : [8, 10].first { $0 >= bits } ?? 12
    let (old, new) = (1 << bits - 1, 1 << depth - 1)
    let samples = plane.span
    let codes =
      depth == bits
      ? plane
      : Plane<UInt16>(width: plane.width, height: plane.height) { output in
        for index in samples.indices {
          output.append(UInt16((Int(samples[index]) * new + old / 2) / old))
        }
      }
    var description = image.description
    description.layout = ImageLayout(
      width: codes.width, height: codes.height, components: .gray, samples: .integer(bits: depth))
    return Image(description, ImagePlanes(layout: description.layout, planes: .integer([codes])))
  }
}

extension ImageConverter {
  /// A written file.
  package struct Written: Sendable {
    /// Layout, color, light metadata and orientation of the image in the file.
    package var image: ImageDescription
    /// Measured light levels of the image.
    package var lightLevels: LightLevels
    /// The gain map that was applied, if any.
    package var gainMap: AppliedGainMap?
    /// Report of the rendition, if the image was rendered for a display.
    package var rendering: RenderingReport?
    /// Notices about samples and metadata that were dropped, assumed or clipped.
    package var notices: [Notice]
  }

  /// Converts an image and writes the file.
  ///
  /// OpenEXR, JPEG, JPEG XR and PNG, whose encoders accept rows, are written while the image is converted, so that
  /// only the rows that a rotation requires are in memory, and the coded data of JPEG and PNG.
  ///
  /// - Parameters:
  ///   - document: The image.
  ///   - sink: Receives the bytes of the file.
  /// - Returns: Description, light levels and notices of the file.
  /// - Throws: `.reading` with the errors of `run(_:)`, `.writing` with those of encoder and
  ///   sink.
  package func write(
    _ document: SourceImage, to sink: any ByteSink
  ) throws(ConversionPlan.Failure) -> Written {
    let prepared: PreparedConversion
    let result: Result
    let layout = document.image.layout
    let measuring = options.rendering == nil ? 0 : ExpectedTime.converting(layout)
    var stages = Stages(
      ExpectedTime.reading(document) + measuring, ExpectedTime.converting(layout),
      ExpectedTime.encoding(layout, options.geometry, as: options.format, options.encoder))
    do throws(ImageError) {
      prepared = try stages.next { () throws(ImageError) in
        try PreparedConversion(options, document)
      }
    } catch {
      throw .reading(error)
    }
    if let stream = try makeStream(prepared, to: sink) {
      // Rows are encoded as they are converted.
      return try Execution.part(upTo: 1, .converting) { () throws(ConversionPlan.Failure) in
        try self.stream(prepared, document, to: stream)
      }
    }
    do throws(ImageError) {
      result = try stages.next(.converting) { () throws(ImageError) in
        try run(prepared, document)
      }
    } catch {
      throw .reading(error)
    }
    let output = result.output
    do throws(ImageError) {
      try stages.next(.encoding) { () throws(ImageError) in
        try output.write(to: sink, as: options.format, options: options.encoder)
      }
    } catch {
      throw .writing(error)
    }
    return Written(
      image: output.image.description, lightLevels: result.lightLevels, gainMap: result.gainMap,
      rendering: result.rendering, notices: result.notices)
  }

  private func makeStream(
    _ prepared: PreparedConversion, to sink: any ByteSink
  ) throws(ConversionPlan.Failure) -> (any ImageStream)? {
    guard prepared.makesOutputRows else { return nil }
    do throws(ImageError) {
      return try header(of: prepared).makeStream(
        to: sink, as: options.format, options: options.encoder,
        isRotated: prepared.target.rotation != .upright)
    } catch {
      throw .writing(error)
    }
  }

  /// The metadata of a file, without those that are measured.
  private func header(of prepared: PreparedConversion) -> StreamedImage {
    var image = prepared.output
    image.orientation = prepared.target.orientation
    return StreamedImage(
      image, signalsCICP: prepared.target.signaling != .icc,
      exif: prepared.metadata.exif, xmp: prepared.metadata.xmp,
      auxiliaryMetadata: prepared.metadata.auxiliary)
  }

  /// Encodes rows as soon as they are converted.
  private func stream(
    _ prepared: PreparedConversion, _ document: SourceImage, to stream: any ImageStream
  ) throws(ConversionPlan.Failure) -> Written {
    let source = prepared.source
    let findings: ImageTransform.Findings
    var writing: ImageError?
    do throws(ImageError) {
      findings = try prepared.run { piece throws(ImageError) in
        do throws(ImageError) { try stream.append(piece) } catch {
          writing = error
          throw error
        }
      }
    } catch {
      throw writing == nil ? .reading(error) : .writing(error)
    }
    var header = header(of: prepared)
    header.image.light = prepared.metadata.resolved(measured: findings.lightLevels)
    do throws(ImageError) {
      header.icc = try prepared.target.profile(measured: findings.lightLevels)
      try stream.finish(header)
    } catch {
      throw .writing(error)
    }
    var notices = prepared.notices(of: findings.clipping, findings.changes)
    do throws(ImageError) {
      _ = try auxiliaries(of: document, rotation: prepared.target.rotation, &notices)
    } catch {
      throw .reading(error)
    }
    return Written(
      image: header.image, lightLevels: findings.lightLevels, gainMap: prepared.gainMap,
      rendering: source.rendering?.report(changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
}
