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
  /// OpenEXR, and JPEG of a picture that is not turned, are written while it is converted, so that no
  /// more of the picture is in memory than it takes to turn it.
  ///
  /// - Parameters:
  ///   - document: What to convert.
  ///   - sink: Takes the bytes of the file as they are made.
  ///   - progress: Called now and then with the share that is converted, 0...1.
  /// - Returns: What was written, and what was lost, assumed or clipped.
  /// - Throws: What `run(_:progress:)` throws, as `.reading`, and what codec and sink say, as
  ///   `.writing`.
  public func write(
    _ document: PictureDocument, to sink: any ByteSink, progress: ((Double) -> Void)? = nil
  ) throws(Failure) -> Written {
    let plan: ConversionPlan
    let outcome: Outcome
    do throws(ImageError) {
      plan = try ConversionPlan(options, document)
    } catch {
      throw .reading(error)
    }
    #if EXR
    if options.format == .exr {
      return try writeEXR(plan, document, to: sink, progress: progress)
    }
    #endif
    #if JPEG
    if options.format == .jpeg, plan.conversion.orientation == .upright {
      return try writeJPEG(plan, document, to: sink, progress: progress)
    }
    #endif
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

  #if EXR
  private func writeEXR(
    _ plan: ConversionPlan, _ document: PictureDocument, to sink: any ByteSink,
    progress: ((Double) -> Void)?
  ) throws(Failure) -> Written {
    let writer = try beginEXR(plan, to: sink)
    return try stream(plan, document, progress: progress) { piece throws(ImageError) in
      try EXRCodec.append(piece, to: writer, options: options.encoder)
    } finish: { _ throws(ImageError) in
      try writer.finish()
    }
  }

  private func beginEXR(
    _ plan: ConversionPlan, to sink: any ByteSink
  ) throws(Failure) -> EXRWriter {
    do throws(ImageError) {
      return try EXRCodec.begin(
        plan.coding.layout, color: plan.coding.color, exif: plan.description.exif,
        xmp: plan.description.xmp, to: sink, options: options.encoder)
    } catch {
      throw .writing(error)
    }
  }
  #endif

  #if JPEG
  private func writeJPEG(
    _ plan: ConversionPlan, _ document: PictureDocument, to sink: any ByteSink,
    progress: ((Double) -> Void)?
  ) throws(Failure) -> Written {
    let file: JPEGStream
    do throws(ImageError) {
      file = try JPEGStream(
        plan.coding.layout, cicp: plan.target.cicp, options: options.encoder)
    } catch {
      throw .writing(error)
    }
    return try stream(plan, document, progress: progress) { piece throws(ImageError) in
      try file.append(piece)
    } finish: { light throws(ImageError) in
      let description = plan.description
      let attachments = JPEGCodec.Attachments(
        icc: try plan.target.profile(measured: light), exif: description.exif,
        xmp: description.xmp, orientation: plan.target.orientation,
        isSRGB: plan.target.cicp.isSRGB,
        diffuseWhite: description.resolved(measured: light).diffuseWhite,
        further: description.further)
      try file.finish(attachments, to: sink)
    }
  }
  #endif

  #if EXR || JPEG
  /// Hands rows to a writer as soon as they are converted.
  private func stream(
    _ plan: ConversionPlan, _ document: PictureDocument, progress: ((Double) -> Void)?,
    append: (ImagePlanes) throws(ImageError) -> Void,
    finish: (LightLevels) throws(ImageError) -> Void
  ) throws(Failure) -> Written {
    let findings: ImageTransform.Findings
    var writing: ImageError?
    do throws(ImageError) {
      findings = try plan.conversion.run(
        plan.reader, threads: options.encoder.threads, progress: progress
      ) { piece throws(ImageError) in
        do throws(ImageError) { try append(piece) } catch {
          writing = error
          throw error
        }
      }
    } catch {
      throw writing == nil ? .reading(error) : .writing(error)
    }
    do throws(ImageError) { try finish(findings.light) } catch { throw .writing(error) }
    var notices = plan.notices(of: findings.clipping)
    _ = auxiliaries(of: document, turn: plan.target.turn, &notices)
    var image = plan.coding
    image.light = plan.description.resolved(measured: findings.light)
    image.orientation = plan.target.orientation
    return Written(
      image: image, light: findings.light, gainMap: plan.gainMap,
      rendering: plan.rendering?.report(changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
  #endif
}
