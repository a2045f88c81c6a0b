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
  ///   - progress: Called with the planned stages, and as stages begin and proceed; see `ProgressEstimate`.
  /// - Returns: Description, light levels and notices of the file.
  /// - Throws: `.reading` with the errors of `run(_:progress:)`, `.writing` with those of encoder and
  ///   sink.
  package func write(
    _ document: SourceImage, to sink: any ByteSink, progress: ((ConversionEvent) -> Void)? = nil
  ) throws(ConversionPlan.Failure) -> Written {
    let prepared: PreparedConversion
    let result: Result
    let stages = ExpectedTime.stages(of: document, options)
    progress?(.planned(stages))
    func converting(_ share: Double) { progress?(.progress(.converting, share)) }
    do throws(ImageError) {
      prepared = try PreparedConversion(options, document) {
        progress?(.progress(.measuring, $0))
      }
    } catch {
      throw .reading(error)
    }
    if let stream = try makeStream(prepared, to: sink) {
      // Rows are encoded as they are converted.
      progress?(.planned(stages.moving(.encoding, to: .converting)))
      return try self.stream(prepared, document, to: stream, progress: converting)
    }
    do throws(ImageError) {
      converting(0)
      result = try run(prepared, document, progress: converting)
    } catch {
      throw .reading(error)
    }
    progress?(.progress(.encoding, 0))
    let output = result.output
    do throws(ImageError) {
      try output.write(to: sink, as: options.format, options: options.encoder)
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
    _ prepared: PreparedConversion, _ document: SourceImage, to stream: any ImageStream,
    progress: @escaping (Double) -> Void
  ) throws(ConversionPlan.Failure) -> Written {
    let source = prepared.source
    progress(0)
    let findings: ImageTransform.Findings
    var writing: ImageError?
    do throws(ImageError) {
      findings = try prepared.run(progress: progress) { piece throws(ImageError) in
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
    _ = auxiliaries(of: document, rotation: prepared.target.rotation, &notices)
    return Written(
      image: header.image, lightLevels: findings.lightLevels, gainMap: prepared.gainMap,
      rendering: source.rendering?.report(changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
}
