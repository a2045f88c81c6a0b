# SPDX-License-Identifier: Apache-2.0
# Builds hdrconvert, and an image with the command, its codecs and an unprivileged user.
#   docker build -t hdrconvert . && docker run --rm -v "$PWD:/images" hdrconvert convert photo.exr -o photo.avif
FROM swift:6.3-bookworm AS build
COPY . /source
WORKDIR /source
RUN apt-get -q update && DESTDIR=/installed scripts/install --prefix /usr/local

FROM debian:bookworm-slim
RUN apt-get -q update \
  && apt-get -q install -y --no-install-recommends libheif1 libde265-0 libavif15 libpng16-16 libdeflate0 libisal2 liblcms2-2 \
    libjpeg62-turbo libtiff6 libopenexr-3-1-30 libimath-3-1-29 libraw20 libjxl0.7 libbrotli1 zlib1g \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 1000 hdrconvert
COPY --from=build /installed/usr/local /usr/local
USER hdrconvert
WORKDIR /images
ENTRYPOINT ["hdrconvert"]
