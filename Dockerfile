# SPDX-License-Identifier: Apache-2.0
# Builds hdrconvert, and an image with the command, its codecs and an unprivileged user.
#   docker build -t hdrconvert . && docker run --rm -v "$PWD:/images" hdrconvert convert photo.exr -o photo.avif
# For Debian 13: --build-arg RELEASE=trixie
ARG RELEASE=bookworm
FROM swift:6.3-bookworm AS toolchain

# There is no image of Swift for Debian 13, on which the toolchain for Debian 12 runs.
FROM debian:${RELEASE} AS build
RUN apt-get -q update \
  && apt-get -q install -y --no-install-recommends binutils ca-certificates g++ git libcurl4-openssl-dev libedit-dev \
    libncurses-dev libsqlite3-dev libxml2-dev pkg-config uuid-dev \
  # A package of its own in Debian 13.
  && { [ -e /usr/bin/ld.gold ] || apt-get -q install -y --no-install-recommends binutils-gold; }
COPY --from=toolchain /usr /opt/swift/usr
# Linkers, libraries and headers of the other release, which clang would find next to itself.
RUN cd /opt/swift/usr && rm -rf include lib/gcc lib/*-linux-gnu bin/ld bin/ld.bfd bin/ld.gold bin/*-linux-gnu*
ENV PATH=$PATH:/opt/swift/usr/bin
COPY . /source
WORKDIR /source
RUN DESTDIR=/installed scripts/install --prefix /usr/local \
  && cp .build/runtime-packages /installed

FROM debian:${RELEASE}-slim
COPY --from=build /installed/runtime-packages /tmp/runtime-packages
RUN apt-get -q update \
  && apt-get -q install -y --no-install-recommends $(cat /tmp/runtime-packages) \
  && rm -rf /var/lib/apt/lists/* /tmp/runtime-packages \
  && useradd --create-home --uid 1000 hdrconvert
COPY --from=build /installed/usr/local /usr/local
USER hdrconvert
WORKDIR /images
ENTRYPOINT ["hdrconvert"]
