# SPDX-License-Identifier: Apache-2.0
# Homebrew formula, for a tap: brew install OWNER/tap/hdrconvert
class Hdrconvert < Formula
  desc "Converter, inspector and editor of HDR still images and gain maps"
  homepage "https://github.com/OWNER/hdrconvert"
  url "https://github.com/OWNER/hdrconvert/releases/download/v@VERSION@/hdrconvert-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"
  head "https://github.com/OWNER/hdrconvert.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "aom"
  depends_on "brotli"
  depends_on "dav1d"
  depends_on "isa-l"
  depends_on "jpeg-turbo"
  depends_on "jpeg-xl"
  depends_on "jxrlib"
  depends_on "libde265"
  depends_on "libdeflate"
  depends_on "libheif"
  depends_on "libpng"
  depends_on "libraw"
  depends_on "libtiff"
  depends_on "little-cms2"
  depends_on macos: :tahoe
  depends_on "openexr"

  def install
    ENV["SKIP_PACKAGES"] = "1"
    # Homebrew has a sandbox, inside which another one cannot be made.
    ENV["SWIFT_OPTIONS"] = "--disable-sandbox"
    system "scripts/install", "--prefix", prefix
    pkgshare.install "reference-images/photo.exr"
  end

  test do
    system bin/"hdrconvert", "convert", pkgshare/"photo.exr", "-o", "photo.avif"
    system bin/"hdrconvert", "validate", "photo.avif"
  end
end
