/// One row of a picture while it is worked on: red, green and blue, of light or of signal, and
/// coverage where the picture has it.
struct LightRow {
  var red: [Float]
  var green: [Float]
  var blue: [Float]
  /// Empty in a picture without alpha.
  var alpha: [Float]

  init(width: Int, hasAlpha: Bool) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = hasAlpha ? [Float](repeating: 1, count: width) : []
  }

  var width: Int { red.count }
}
