// A picture is a PNG, JPEG or GIF with little data beside its pixels. Refused before decoding: long animations, and large
// compressed text or colour profiles in a PNG, which cost more to decode than their size suggests; and a GIF whose screen is wider
// than any picture, because such a header can make the file a script too (`GIF89a/*` is a width of 10,799).

type Header = { format: string; pages?: number | undefined };

const FORMATS = new Set(['png', 'jpeg', 'gif']);
const MAX_FRAMES = 256;
const MAX_GIF_SIDE = 8_192;
/** Compressed chunks, which may decompress to a thousand times their length. */
const COMPRESSED_CHUNKS = new Set(['zTXt', 'iTXt', 'iCCP']);
const COMPRESSED_MAX_BYTES = 256 * 1024;

const PNG_SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const CHUNK_FRAME_BYTES = 12;

const compressedBytes = (png: Buffer): number => {
  let compressed = 0;
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + CHUNK_FRAME_BYTES <= png.length) {
    const length = png.readUInt32BE(offset);
    if (COMPRESSED_CHUNKS.has(png.toString('latin1', offset + 4, offset + 8))) compressed += length;
    offset += CHUNK_FRAME_BYTES + length;
  }
  return compressed;
};

const gifSide = (gif: Buffer): number => Math.max(gif.readUInt16LE(6), gif.readUInt16LE(8));

/** Whether `bytes`, whose `header` was decoded, are an accepted picture. */
export const isPicture = (bytes: Buffer, { format, pages = 1 }: Header): boolean => {
  if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;
  if (format === 'png') return compressedBytes(bytes) <= COMPRESSED_MAX_BYTES;
  return format !== 'gif' || gifSide(bytes) <= MAX_GIF_SIDE;
};
