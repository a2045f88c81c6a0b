// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),  // Required to return a Span (Swift 6.3).
]

/// The name of the `.pc` file of a library, by platform.
///
/// Some `.pc` files contain flags that SwiftPM rejects with a warning. If the headers are on the
/// default search path, as on Debian, these libraries do not need a `.pc` file.
func pkgConfig(linux: String?, macOS: String) -> String? {
  #if os(macOS)
  return macOS
  #else
  return linux
  #endif
}

func library(
  _ name: String, pkgConfig: String?, apt: String, brew: String
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CModules/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

func when(_ trait: String) -> TargetDependencyCondition? { .when(traits: [trait]) }

let shimSettings: [CSetting] = [
  .define("WITH_AVIF", .when(traits: ["AVIF"])),
  .define("WITH_PNG", .when(traits: ["PNG"])),
  .define("WITH_JPEG", .when(traits: ["JPEG"])),
  .define("WITH_TIFF", .when(traits: ["TIFF"])),
  .define("WITH_JPEGXR", .when(traits: ["JPEGXR"])),
  .define("WITH_ISAL", .when(traits: ["PNG", "TIFF", "EXR"])),
  .define("_GNU_SOURCE", .when(platforms: [.linux])),
]
let cxxShimSettings: [CXXSetting] = [
  .define("WITH_EXR", .when(traits: ["EXR"])),
  .define("WITH_RAW", .when(traits: ["RAW"])),
]

let package = Package(
  name: "hdrconvert",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "PixelKernels", targets: ["PixelKernels"]),  // For `Benchmarks`.
    .library(name: "HDRCore", targets: ["HDRCore"]),
    .library(name: "GainMap", targets: ["GainMap"]),
    .library(name: "ImageFiles", targets: ["ImageFiles"]),
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    // With the codecs, which register themselves.
    .library(name: "RAWDevelop", targets: ["RAWDevelop", "ImageCodecs"]),
    .library(name: "HDRConversion", targets: ["HDRConversion", "ImageCodecs"]),
    .library(name: "Conformance", targets: ["Conformance", "ImageCodecs"]),
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),  // For `Fuzz`.
    // The C interface, which `scripts/build-library` links as libhdrconvert.
    .library(name: "hdrconvert-c", type: .dynamic, targets: ["HDRConvertC"]),
    .executable(name: "hdrconvert", targets: ["hdrconvert"]),
    .executable(name: "hdrconvert-worker", targets: ["hdrconvert-worker"]),
  ],
  traits: [
    .trait(name: "HEIF", description: "HEIF encoding and decoding: libheif, x265, libde265"),
    .trait(name: "AVIF", description: "AVIF encoding and decoding: libaom, dav1d"),
    .trait(name: "PNG", description: "PNG encoding and decoding: libpng, libdeflate, ISA-L"),
    .trait(name: "JPEG", description: "JPEG encoding and decoding: libjpeg-turbo"),
    .trait(name: "TIFF", description: "TIFF encoding and decoding: libtiff, libdeflate, ISA-L"),
    .trait(name: "EXR", description: "OpenEXR encoding and decoding: OpenEXR, libdeflate, ISA-L"),
    .trait(name: "ICC", description: "Color management with ICC profiles: Little CMS"),
    .trait(name: "RAW", description: "Decoding of camera raw files other than DNG: LibRaw"),
    .trait(name: "JPEGXL", description: "JPEG XL encoding and decoding, also in DNG files: libjxl"),
    .trait(name: "JPEGXR", description: "JPEG XR encoding and decoding: jxrlib"),
    .default(
      enabledTraits: [
        "HEIF", "AVIF", "PNG", "JPEG", "TIFF", "EXR", "ICC", "RAW", "JPEGXL", "JPEGXR",
      ]),
  ],
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")],
  targets: [
    library("CLibHEIF", pkgConfig: "libheif", apt: "libheif-dev", brew: "libheif"),
    library("CLibDE265", pkgConfig: "libde265", apt: "libde265-dev", brew: "libde265"),
    library("CLibAOM", pkgConfig: "aom", apt: "libaom-dev", brew: "aom"),
    library("CDav1d", pkgConfig: "dav1d", apt: "libdav1d-dev", brew: "dav1d"),
    library("CLibPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    library(
      "CLibDeflate", pkgConfig: pkgConfig(linux: nil, macOS: "libdeflate"), apt: "libdeflate-dev",
      brew: "libdeflate"),
    library("CISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l"),
    // The .pc file of Debian 13 also links plugins, which are under the GPL.
    library(
      "CLittleCMS", pkgConfig: pkgConfig(linux: nil, macOS: "lcms2"), apt: "liblcms2-dev",
      brew: "little-cms2"),
    library("CLibJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    library("CLibTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
    library(
      "COpenEXR", pkgConfig: pkgConfig(linux: "Imath", macOS: "OpenEXR"),
      apt: "libopenexr-dev", brew: "openexr"),
    library(
      "CLibRaw", pkgConfig: pkgConfig(linux: nil, macOS: "libraw_r"),
      apt: "libraw-dev", brew: "libraw"),
    library(
      "CLibJXL", pkgConfig: pkgConfig(linux: nil, macOS: "libjxl"),
      apt: "libjxl-dev", brew: "jpeg-xl"),
    // The .pc file also defines macros; only headers of the glue library require them.
    library(
      "CLibJXR", pkgConfig: pkgConfig(linux: nil, macOS: "libjxr"),
      apt: "libjxr-dev", brew: "jxrlib"),
    library(
      "CBrotli", pkgConfig: pkgConfig(linux: nil, macOS: "libbrotlidec"),
      apt: "libbrotli-dev", brew: "brotli"),
    library("CZlib", pkgConfig: nil, apt: "zlib1g-dev", brew: "zlib"),

    .target(name: "Platform", swiftSettings: strict),
    .target(
      name: "CSandbox", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]),
    .target(
      name: "CPlatform", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))]),
    .target(name: "PixelKernels"),
    .target(
      name: "HDRCore", dependencies: ["CPlatform", "Platform", "PixelKernels"],
      swiftSettings: strict),
    .target(name: "GainMap", dependencies: ["Platform", "HDRCore"], swiftSettings: strict),
    .target(
      name: "ImageFiles",
      dependencies: [
        "CPlatform", "Platform", "HDRCore", "GainMap", "CZlib",
        .target(name: "CBrotli", condition: when("JPEGXL")),
      ],
      swiftSettings: strict),
    .target(
      name: "CShims",
      dependencies: [
        .target(name: "CLibAOM", condition: when("AVIF")),
        .target(name: "CLibPNG", condition: when("PNG")),
        .target(name: "CLibJPEG", condition: when("JPEG")),
        .target(name: "CLibTIFF", condition: when("TIFF")),
        .target(name: "COpenEXR", condition: when("EXR")),
        .target(name: "CLibRaw", condition: when("RAW")),
        .target(name: "CLibJXR", condition: when("JPEGXR")),
        .target(name: "CISAL", condition: .when(traits: ["PNG", "TIFF", "EXR"])),
      ],
      cSettings: shimSettings,
      cxxSettings: cxxShimSettings,
      linkerSettings: [
        .linkedLibrary("aom", .when(traits: ["AVIF"])),
        .linkedLibrary("OpenEXR", .when(traits: ["EXR"])),
        .linkedLibrary("Iex", .when(traits: ["EXR"])),
        .linkedLibrary("IlmThread", .when(traits: ["EXR"])),
        .linkedLibrary("raw_r", .when(traits: ["RAW"])),
        .linkedLibrary("jpegxr", .when(traits: ["JPEGXR"])),
      ]),
    // It registers its codecs where it is linked, so that hardly anything imports it.
    .target(
      name: "ImageCodecs",
      dependencies: [
        "PixelKernels", "CPlatform", "Platform", "HDRCore", "GainMap", "ImageFiles", "CShims",
        .target(name: "CLibHEIF", condition: when("HEIF")),
        .target(name: "CLibDE265", condition: when("HEIF")),
        .target(name: "CDav1d", condition: when("AVIF")),
        .target(name: "CLibPNG", condition: when("PNG")),
        .target(name: "CLibDeflate", condition: .when(traits: ["PNG", "TIFF", "EXR"])),
        .target(name: "CLittleCMS", condition: when("ICC")),
        .target(name: "CLibJXL", condition: when("JPEGXL")),
      ],
      swiftSettings: strict),
    .target(
      name: "RAWDevelop",
      dependencies: ["PixelKernels", "Platform", "HDRCore", "GainMap", "ImageFiles"],
      swiftSettings: strict),
    .target(
      name: "HDRConversion",
      dependencies: ["Platform", "HDRCore", "GainMap", "ImageFiles", "RAWDevelop"],
      swiftSettings: strict),
    .target(
      name: "Conformance",
      dependencies: ["Platform", "HDRCore", "GainMap", "ImageFiles", "HDRConversion"],
      swiftSettings: strict),
    .target(
      name: "ImageReports",
      dependencies: [
        "Platform", "HDRCore", "GainMap", "ImageFiles", "RAWDevelop", "HDRConversion",
        "Conformance",
      ],
      swiftSettings: strict),
    .systemLibrary(name: "CHDRConvert", path: "Sources/CHDRConvert/include"),
    .target(
      name: "HDRConvertC",
      dependencies: [
        "CHDRConvert", "CPlatform", "Platform", "HDRCore", "GainMap", "ImageFiles", "ImageCodecs",
        "RAWDevelop", "HDRConversion", "Conformance", "ImageReports",
      ],
      swiftSettings: strict),
    .target(
      name: "ContactSheet",
      dependencies: ["Platform", "HDRCore", "GainMap", "ImageFiles", "HDRConversion"],
      swiftSettings: strict),
    // The command; both programs consist of it.
    .target(
      name: "Command",
      dependencies: [
        "Platform", "HDRCore", "GainMap", "ImageFiles", "RAWDevelop", "HDRConversion",
        "Conformance", "ContactSheet", "ImageReports", "CSandbox",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // Without codecs: it opens files for the other program, which reads them.
    .executableTarget(name: "hdrconvert", dependencies: ["Command"], swiftSettings: strict),
    .executableTarget(
      name: "hdrconvert-worker", dependencies: ["Command", "ImageCodecs"],
      path: "Sources/Worker", swiftSettings: strict),
    .executableTarget(
      name: "reference-scenes",
      dependencies: ["HDRCore", "ImageFiles", "ImageCodecs", "HDRConversion"],
      path: "Sources/ReferenceScenes", swiftSettings: strict),
    .executableTarget(
      name: "dump-planes",
      dependencies: ["HDRCore", "ImageFiles", "ImageCodecs", "HDRConversion"],
      path: "Sources/DumpPlanes", swiftSettings: strict),
    .executableTarget(
      name: "Examples", dependencies: ["HDRConversion", "Conformance", "ImageCodecs"],
      path: "Examples/Jobs",
      packageAccess: false),
    .target(
      name: "TestSupport", dependencies: ["HDRCore", "GainMap", "ImageFiles"],
      path: "Tests/TestSupport",
      resources: [.copy("Vectors")], swiftSettings: strict),
    .target(name: "KernelClones", dependencies: ["PixelKernels"], path: "Tests/KernelClones"),
    .testTarget(
      name: "HDRCoreTests",
      dependencies: ["HDRCore", "PixelKernels", "KernelClones", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GainMapTests", dependencies: ["HDRCore", "GainMap", "ImageFiles", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ImageFilesTests",
      dependencies: ["CPlatform", "HDRCore", "GainMap", "ImageFiles", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ImageCodecsTests",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "CShims", "ImageCodecs", "HDRConversion", "TestSupport",
      ],
      resources: [.copy("Vectors")], swiftSettings: strict),
    .testTarget(
      name: "HDRConversionTests",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "HDRConversion", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RAWDevelopTests",
      dependencies: [
        "PixelKernels", "HDRCore", "ImageFiles", "ImageCodecs", "RAWDevelop", "HDRConversion",
        "TestSupport",
      ],
      resources: [.copy("Vectors")], swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "HDRConversion", "Conformance",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ContactSheetTests",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "HDRConversion", "ContactSheet",
      ],
      swiftSettings: strict),
    // Run under libFuzzer by the package `Fuzz`.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "RAWDevelop", "HDRConversion",
        "Conformance",
      ],
      path: "Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "HDRConvertTests",
      dependencies: [
        "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "RAWDevelop", "HDRConversion",
        "ImageReports", "Command", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
