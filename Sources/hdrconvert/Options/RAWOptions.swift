public import ArgumentParser
public import RAWDevelop

/// How raw samples become light.
struct RAWOptions: ParsableArguments {
  @Flag(help: "1.0 is where the sensor saturates: nothing is added that is meant for the eye.")
  var sceneLinear = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("In place of the exposure that the file asks for.", valueName: "EV"))
  var baselineExposure: Double?

  @Option(
    help: ArgumentHelp("Light that becomes white, in place of the camera's.", valueName: "kelvin"))
  var temperature: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How greenish that light is: more gives more magenta.", valueName: "tint"))
  var tint: Double?

  @Option(
    help: ArgumentHelp(
      "Light that saturates one color: clip (neutral), keep (with a cast) or reconstruct.",
      valueName: "mode"))
  var highlights = RawDevelopment.Highlights.clip

  func validate() throws {
    if let temperature, !(1667...100_000).contains(temperature) {
      throw ValidationError("--temperature takes 1667...100000 kelvin")
    }
    if let tint, !(abs(tint) <= 150) { throw ValidationError("--tint takes -150...150") }
    guard let baselineExposure else { return }
    guard baselineExposure.isFinite, abs(baselineExposure) <= 32 else {
      throw ValidationError("--baseline-exposure takes -32...32 stops")
    }
    guard !sceneLinear else {
      throw ValidationError("--scene-linear says --baseline-exposure 0 already")
    }
  }

  var development: RawDevelopment {
    var development = RawDevelopment()
    development.highlights = highlights
    development.neutralTemperature = temperature
    development.neutralTint = tint
    development.baselineExposure = baselineExposure
    development.isSceneLinear = sceneLinear
    return development
  }
}

extension RawDevelopment.Highlights: ExpressibleByArgument {}
