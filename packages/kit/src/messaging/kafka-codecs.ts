import { createRequire } from 'node:module';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

// Loaded with the first batch that needs one: no publisher of the product compresses, and the two cost an idle process 6 MB.
const require = createRequire(import.meta.url);
const snappy = () => require('snappy') as typeof import('snappy');
const lz4 = () => require('lz4-napi') as typeof import('lz4-napi');

/** The limit of a decompressed batch: no publisher of events sends more, and a process has a few hundred megabytes. */
export const DECOMPRESSED_MAX = 32 * 1024 * 1024;

const tooLarge = (): Error => new Error(`it is larger than ${DECOMPRESSED_MAX} bytes`);

/** The length stated at the beginning of a Snappy block (a varint), which is allocated before anything else is checked. */
const statedLength = (block: Buffer): number => {
  let length = 0;
  for (let index = 0; index < Math.min(block.length, 5); index += 1) {
    const byte = block[index] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  return Infinity;
};

const decompressBlock = (block: Buffer): Buffer => {
  if (statedLength(block) > DECOMPRESSED_MAX) throw tooLarge();
  return Buffer.from(snappy().uncompressSync(block, { asBuffer: true }));
};

/** The framing of Java's clients and brokers around Snappy blocks: a magic number, two versions, and a length before each block. */
const XERIAL = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = 16;

const decompressSnappy = (bytes: Buffer): Buffer => {
  if (!bytes.subarray(0, XERIAL.length).equals(XERIAL)) return decompressBlock(bytes);
  const blocks: Buffer[] = [];
  let total = 0;
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length;) {
    const end = at + 4 + bytes.readInt32BE(at);
    if (end < at + 4 || end > bytes.length) throw new Error('a block ends behind the data');
    const block = decompressBlock(bytes.subarray(at + 4, end));
    total += block.length;
    if (total > DECOMPRESSED_MAX) throw tooLarge();
    blocks.push(block);
    at = end;
  }
  return Buffer.concat(blocks);
};

type Codec = { name: string; decompress: (bytes: Buffer) => Buffer };

/** All codecs that a broker's `compression.type` can name, by their numbers in the attributes of a batch. */
export const codecs: ReadonlyMap<number, Codec> = new Map([
  [1, { name: 'gzip', decompress: (bytes) => gunzipSync(bytes, { maxOutputLength: DECOMPRESSED_MAX }) }],
  [2, { name: 'snappy', decompress: decompressSnappy }],
  [3, { name: 'lz4', decompress: (bytes) => lz4().decompressFrameSync(bytes) }],
  [
    4,
    { name: 'zstd', decompress: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: DECOMPRESSED_MAX }) },
  ],
]);
