# SPDX-License-Identifier: Apache-2.0
# Five jobs with the command.

# ultra_hdr
hdrconvert IMG_0001.HEIC -o web.jpg

# thumbnail
hdrconvert photo.jpg -o thumbnail.jpg --resize 1024

# pq_avif
hdrconvert photo.jpg -o photo.avif

# linear
hdrconvert photo.jpg -o linear.exr

# without_location
hdrconvert tag photo.jpg -o public.jpg --strip gps
