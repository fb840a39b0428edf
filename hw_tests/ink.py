"""Pictures as tests look at them."""

from __future__ import annotations

from PIL import Image

from firmware_host.font import Face


def drawn(face: Face, text: str) -> Image.Image:
    """`text` on a picture with a clear edge all around: its line starts at 10, 10."""
    image = Image.new("1", (face.width(text) + 20, face.height + 20))
    face.draw(image, (10, 10), text)
    return image


def rows(image: Image.Image) -> list[str]:
    w, h = image.size
    return ["".join(".#"[image.getpixel((x, y)) > 0] for x in range(w)) for y in range(h)]
