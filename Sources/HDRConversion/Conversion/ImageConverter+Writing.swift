public import HDRCore
public import ImageCodecs
public import ImageContainers
internal import ImageFiles

extension ImageConverter {
  /// What was written.
  public struct Written: Sendable {
    /// Layout, color, light metadata and orientation of the image in the file.
    public var image: ImageDescription
    /// Light levels of the image, as far as they were to be measured.
    public var light: LightLevels
    /// The gain map that was applied.
    public var gainMap: AppliedGainMap?
    /// What was made of the light, if it was rendered for a display.
    public var rendering: RenderingReport?
    public var notices: [Notice]
  }

  /// What went wrong, and in which half of the work.
  public enum Failure: Error {
    case reading(ImageError)
    case writing(ImageError)

    public var cause: ImageError {
      switch self {
      case .reading(let cause), .writing(let cause): cause
      }
    }
  }

  /// Converts the picture of `document` and writes its file.
  ///
  /// Formats whose encoders take rows, OpenEXR and JPEG, are written while the image is converted, so
  /// that no more of it is in memory than it takes to turn it.
  ///
  /// - Parameters:
  ///   - document: What to convert.
  ///   - sink: Takes the bytes of the file as they are made.
  ///   - progress: Called now and then with the share that is converted, 0...1.
  /// - Returns: What was written, and what was lost, assumed or clipped.
  /// - Throws: What `run(_:progress:)` throws, as `.reading`, and what codec and sink say, as
  ///   `.writing`.
  public func write(
    _ document: SourceImage, to sink: any ByteSink, progress: ((Double) -> Void)? = nil
  ) throws(Failure) -> Written {
    let plan: PreparedConversion
    let outcome: Result
    do throws(ImageError) {
      plan = try PreparedConversion(options, document)
    } catch {
      throw .reading(error)
    }
    if let stream = try makeStream(plan, to: sink) {
      return try self.stream(plan, document, to: stream, progress: progress)
    }
    do throws(ImageError) {
      outcome = try run(plan, document, progress: progress)
    } catch {
      throw .reading(error)
    }
    let output = outcome.output
    do throws(ImageError) {
      try output.write(to: sink, as: options.format, options: options.encoder)
    } catch {
      throw .writing(error)
    }
    return Written(
      image: output.image.description, light: outcome.light, gainMap: outcome.gainMap,
      rendering: outcome.rendering, notices: outcome.notices)
  }

  private func makeStream(
    _ plan: PreparedConversion, to sink: any ByteSink
  ) throws(Failure) -> (any ImageStream)? {
    let header = StreamedImage(
      plan.coding, exif: plan.description.exif, xmp: plan.description.xmp,
      auxiliaryMetadata: plan.description.further)
    do throws(ImageError) {
      return try header.makeStream(
        to: sink, as: options.format, options: options.encoder,
        isTurned: plan.conversion.orientation != .upright)
    } catch {
      throw .writing(error)
    }
  }

  /// Encodes rows as soon as they are converted.
  private func stream(
    _ plan: PreparedConversion, _ document: SourceImage, to stream: any ImageStream,
    progress: ((Double) -> Void)?
  ) throws(Failure) -> Written {
    let findings: ImageTransform.Findings
    var writing: ImageError?
    do throws(ImageError) {
      findings = try plan.conversion.run(
        plan.reader, progress: progress
      ) { piece throws(ImageError) in
        do throws(ImageError) { try stream.append(piece) } catch {
          writing = error
          throw error
        }
      }
    } catch {
      throw writing == nil ? .reading(error) : .writing(error)
    }
    var image = plan.coding
    image.light = plan.description.resolved(measured: findings.light)
    image.orientation = plan.target.orientation
    do throws(ImageError) {
      try stream.finish(
        StreamedImage(
          image, icc: try plan.target.profile(measured: findings.light),
          exif: plan.description.exif, xmp: plan.description.xmp,
          auxiliaryMetadata: plan.description.further))
    } catch {
      throw .writing(error)
    }
    var notices = plan.notices(of: findings.clipping)
    _ = auxiliaries(of: document, turn: plan.target.turn, &notices)
    return Written(
      image: image, light: findings.light, gainMap: plan.gainMap,
      rendering: plan.rendering?.report(changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
}
