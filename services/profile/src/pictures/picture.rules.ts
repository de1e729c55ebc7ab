// A picture is a PNG, JPEG or GIF that says little beside its pixels. Before anything is decoded we refuse what would cost
// more to read than its size on the wire tells: long animations, text and colour profiles packed into a PNG, and a GIF whose
// screen is too wide for a picture. That last is how a file passes for a script too: `GIF89a/*` is a width of 10,799.

type Header = { format: string; pages?: number | undefined };

const FORMATS = new Set(['png', 'jpeg', 'gif']);
const MAX_FRAMES = 256;
const MAX_GIF_SIDE = 8_192;
/** Chunks that are packed, and so may unpack to a thousand times their length. */
const PACKED_CHUNKS = new Set(['zTXt', 'iTXt', 'iCCP']);
const PACKED_MAX_BYTES = 256 * 1024;

const PNG_SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const CHUNK_FRAME_BYTES = 12;

const packedBytes = (png: Buffer): number => {
  let packed = 0;
  let at = PNG_SIGNATURE_BYTES;
  while (at + CHUNK_FRAME_BYTES <= png.length) {
    const length = png.readUInt32BE(at);
    if (PACKED_CHUNKS.has(png.toString('latin1', at + 4, at + 8))) packed += length;
    at += CHUNK_FRAME_BYTES + length;
  }
  return packed;
};

const gifSide = (gif: Buffer): number => Math.max(gif.readUInt16LE(6), gif.readUInt16LE(8));

/** Whether `bytes`, whose `header` could be read, are a picture that we take. */
export const isPicture = (bytes: Buffer, { format, pages = 1 }: Header): boolean => {
  if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;
  if (format === 'png') return packedBytes(bytes) <= PACKED_MAX_BYTES;
  return format !== 'gif' || gifSide(bytes) <= MAX_GIF_SIDE;
};
