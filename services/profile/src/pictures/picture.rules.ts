// A picture is a PNG, JPEG or GIF, judged by its content. Refused before decoding: long animations, and a GIF whose screen is wider than any
// picture, because with such a header the file can also be a script (`GIF89a/*` is a width of 10,799).

type Header = { format: string; pages?: number | undefined };

const FORMATS = new Set(['png', 'jpeg', 'gif']);
const MAX_FRAMES = 256;
const MAX_GIF_SIDE = 8_192;
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Compressed: it may decompress to a thousand times its length. */
const PROFILE_CHUNK = 'iCCP';
const PROFILE_MAX_BYTES = 256 * 1024;

const PNG_SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const CHUNK_FRAME_BYTES = 12;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, PNG_SIGNATURE_BYTES).equals(PNG_SIGNATURE);

type Chunk = { type: string; length: number; bytes: Buffer };

/** The chunks of a PNG; the last one may be truncated. */
const chunksOf = (png: Buffer): Chunk[] => {
  const chunks: Chunk[] = [];
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + CHUNK_FRAME_BYTES <= png.length) {
    const length = png.readUInt32BE(offset);
    const end = offset + CHUNK_FRAME_BYTES + length;
    const type = png.toString('latin1', offset + 4, offset + 8);
    chunks.push({ type, length, bytes: png.subarray(offset, end) });
    offset = end;
  }
  return chunks;
};

/**
 * The bytes without a PNG's text and large colour profile, neither of which is stored. A decoder unpacks all text before it returns the size of
 * the picture: 250 KB of text took 1.3 GB of memory.
 */
export const withoutText = (bytes: Buffer): Buffer => {
  if (!isPng(bytes)) return bytes;
  const isLarge = ({ type, length }: Chunk) => type === PROFILE_CHUNK && length > PROFILE_MAX_BYTES;
  const chunks = chunksOf(bytes).filter((chunk) => !TEXT_CHUNKS.has(chunk.type) && !isLarge(chunk));
  return Buffer.concat([PNG_SIGNATURE, ...chunks.map((chunk) => chunk.bytes)]);
};

const gifSide = (gif: Buffer): number => Math.max(gif.readUInt16LE(6), gif.readUInt16LE(8));

/** Whether `bytes`, with this decoded `header`, are an accepted picture. */
export const isPicture = (bytes: Buffer, { format, pages = 1 }: Header): boolean => {
  if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;
  return format !== 'gif' || gifSide(bytes) <= MAX_GIF_SIDE;
};
