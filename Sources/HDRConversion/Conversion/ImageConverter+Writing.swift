// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

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
