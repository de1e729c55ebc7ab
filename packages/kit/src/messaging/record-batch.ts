// A record set, as brokers send it, is a series of batches (https://kafka.apache.org/documentation/#recordbatch). A single batch that kafkajs
// cannot decode makes it fail the whole response, with all partitions; its only codec is gzip, and it verifies no checksums. So each batch is
// checked before kafkajs sees it: compressed batches are decompressed, and an unreadable one is replaced by a message that describes it.
import { randomUUID } from 'node:crypto';
import type { UnreadableBatch } from './bus.ts';
import { codecs, DECOMPRESSED_MAX } from './kafka-codecs.ts';

/** The header that marks the message that replaces an unreadable batch. No publisher can know it. */
const MARK = `unreadable-${randomUUID()}`;

/** The batch that a message replaces; null for a publisher's message. */
export const unreadableBatchIn = (headers: Readonly<Record<string, string>>): UnreadableBatch | null => {
  const batch = headers[MARK];
  return batch === undefined ? null : (JSON.parse(batch) as UnreadableBatch);
};

const OFFSET = 0;
const LENGTH = 8;
const MAGIC = 16;
const CHECKSUM = 17;
const ATTRIBUTES = 21;
const LAST_OFFSET_DELTA = 23;
const FIRST_TIMESTAMP = 27;
const LAST_TIMESTAMP = 35;
const COUNT = 57;
const HEADER_BYTES = 61;
/** The offset and the length, which the length does not include. */
const PREFIX_BYTES = 12;
const CODEC_MASK = 0x07;

/** kafkajs passes the records of a batch as arguments of one call, which the stack limits. */
const RECORDS_MAX = 50_000;

/** Larger batches are not kept, because a dead letter is a message too, and brokers accept a megabyte. */
const KEPT_BYTES_MAX = 256 * 1024;

// CRC-32C (RFC 3720, appendix B.4), four bytes at a time: table n has the effect of a byte followed by n others.
const CRC_TABLES = [0, 1, 2, 3].map((following) =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8 * (following + 1); bit += 1)
      crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    return crc;
  }),
) as [Int32Array, Int32Array, Int32Array, Int32Array];

// Hot: every byte that a consumer receives.
export const crc32c = (bytes: Uint8Array): number => {
  const [last, third, second, first] = CRC_TABLES;
  const byte = (index: number): number => bytes[index] as number;
  const whole = bytes.length - (bytes.length % 4);
  let crc = -1;
  for (let index = 0; index < whole; index += 4) {
    crc ^= byte(index) | (byte(index + 1) << 8) | (byte(index + 2) << 16) | (byte(index + 3) << 24);
    const beginning = (first[crc & 0xff] as number) ^ (second[(crc >>> 8) & 0xff] as number);
    crc = beginning ^ (third[(crc >>> 16) & 0xff] as number) ^ (last[crc >>> 24] as number);
  }
  for (let index = whole; index < bytes.length; index += 1)
    crc = (last[(crc ^ byte(index)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
};

class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Reads the variable-length numbers of records. Every method throws at the end of the bytes. */
class RecordReader {
  at = 0;
  readonly #bytes: Buffer;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  /** Skips a number of at most `bytes` bytes. */
  skipNumber(bytes: number): void {
    for (let index = 0; index < bytes; index += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw new Unreadable('its records end too early');
      this.at += 1;
      if (byte < 0x80) return;
    }
    throw new Unreadable('a number in its records is too long');
  }
  /** A number of 32 bits in zigzag encoding. */
  number(): number {
    const start = this.at;
    this.skipNumber(5);
    let value = 0;
    for (let index = start; index < this.at; index += 1)
      value |= ((this.#bytes[index] ?? 0) & 0x7f) << (7 * (index - start));
    return (value >>> 1) ^ -(value & 1);
  }
  skip(bytes: number): void {
    if (this.at + bytes > this.#bytes.length) throw new Unreadable('its records end too early');
    this.at += bytes;
  }
  /** Skips a text or bytes with their length before them; −1 is null. */
  skipValue(): void {
    const length = this.number();
    if (length > 0) this.skip(length);
    else if (length < -1) throw new Unreadable('a length in its records is negative');
  }
}

const checkRecord = (reader: RecordReader, lastOffsetDelta: number): void => {
  const length = reader.number();
  const end = reader.at + length;
  reader.skip(1); // its attributes, which are not used
  reader.skipNumber(10); // its timestamp
  const offsetDelta = reader.number();
  if (offsetDelta < 0 || offsetDelta > lastOffsetDelta)
    throw new Unreadable('an offset in its records is outside of it');
  reader.skipValue();
  reader.skipValue();
  const headers = reader.number();
  for (let index = 0; index < headers; index += 1) {
    reader.skipValue();
    reader.skipValue();
  }
  if (headers < 0 || reader.at !== end) throw new Unreadable('a record in it has a wrong length');
};

const checkRecords = (records: Buffer, count: number, lastOffsetDelta: number): void => {
  const reader = new RecordReader(records);
  for (let index = 0; index < count; index += 1) checkRecord(reader, lastOffsetDelta);
  if (reader.at !== records.length) throw new Unreadable('its records are followed by other bytes');
};

const decompress = (number: number, bytes: Buffer): Buffer => {
  const codec = codecs.get(number);
  if (codec === undefined) throw new Unreadable(`no codec has the number ${number}`);
  let records: Buffer;
  try {
    records = codec.decompress(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Unreadable(`${codec.name} cannot decompress it: ${reason}`, { cause });
  }
  if (records.length > DECOMPRESSED_MAX) throw new Unreadable(`it is larger than ${DECOMPRESSED_MAX} bytes`);
  return records;
};

/** The uncompressed batch. It keeps the broker's checksum, which kafkajs does not verify. */
const decompressed = (batch: Buffer): Buffer => {
  const attributes = batch.readInt16BE(ATTRIBUTES);
  const codec = attributes & CODEC_MASK;
  if (codec === 0) return batch;
  const records = decompress(codec, batch.subarray(HEADER_BYTES));
  const header = Buffer.from(batch.subarray(0, HEADER_BYTES));
  header.writeInt16BE(attributes & ~CODEC_MASK, ATTRIBUTES);
  header.writeInt32BE(HEADER_BYTES - PREFIX_BYTES + records.length, LENGTH);
  return Buffer.concat([header, records]);
};

/** The batch in a form that kafkajs can decode. Throws if it is unreadable. */
const readableBatch = (batch: Buffer): Buffer => {
  const format = batch.readInt8(MAGIC);
  if (format !== 2) throw new Unreadable(`no format has the number ${format}`);
  if (crc32c(batch.subarray(ATTRIBUTES)) !== batch.readUInt32BE(CHECKSUM))
    throw new Unreadable('its checksum is wrong');
  const count = batch.readInt32BE(COUNT);
  if (count < 0 || count > RECORDS_MAX) throw new Unreadable(`it has ${count} records`);
  const readable = decompressed(batch);
  checkRecords(readable.subarray(HEADER_BYTES), count, batch.readInt32BE(LAST_OFFSET_DELTA));
  return readable;
};

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
};

const sized = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(bytes.length), bytes]);
};

/** A batch with one message at the last offset of the batch that it replaces, so that consumers continue after that. */
const replacement = (batch: UnreadableBatch, bytes: string): Buffer => {
  const timestampAndOffset = [varint(0), varint(0)];
  const noKey = varint(-1);
  const headers = [varint(1), sized(MARK), sized(JSON.stringify(batch))];
  const record = Buffer.concat([Buffer.of(0), ...timestampAndOffset, noKey, sized(bytes), ...headers]);
  const records = Buffer.concat([varint(record.length), record]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigInt64BE(BigInt(batch.last), OFFSET);
  header.writeInt32BE(HEADER_BYTES - PREFIX_BYTES + records.length, LENGTH);
  header.writeInt8(2, MAGIC);
  header.writeBigInt64BE(-1n, 43); // no producer
  header.writeInt32BE(1, COUNT);
  return Buffer.concat([header, records]);
};

const time = (timestamp: bigint): string => {
  const date = new Date(Number(timestamp));
  return timestamp < 0n || Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString();
};

/** When a batch was published, according to its header. */
const publishedIn = (batch: Buffer): string => {
  const first = time(batch.readBigInt64BE(FIRST_TIMESTAMP));
  const last = time(batch.readBigInt64BE(LAST_TIMESTAMP));
  return first === last ? `published ${first}` : `published from ${first} to ${last}`;
};

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** `limit` is an offset beyond the batch: its header may be wrong, and no other batch may be skipped with it. */
const replace = (batch: Buffer, limit: bigint, error: Unreadable): Buffer => {
  const first = batch.readBigInt64BE(OFFSET);
  // Without a length, the batches after it are requested again.
  const delta = hasLength(batch) ? batch.readInt32BE(LAST_OFFSET_DELTA) : 0;
  const last = max(first, min(first + BigInt(delta), limit - 1n));
  const cause = `unreadable batch, ${publishedIn(batch)}: ${error.message}`;
  const bytes = batch.length > KEPT_BYTES_MAX ? '' : batch.toString('base64');
  return replacement({ first: String(first), last: String(last), cause }, bytes);
};

const hasLength = (batch: Buffer): boolean => batch.readInt32BE(LENGTH) >= HEADER_BYTES - PREFIX_BYTES;

/** The bytes of the batch at this position; null at the end, where brokers truncate the last one. */
const batchAt = (recordSet: Buffer, at: number): Buffer | null => {
  if (at + HEADER_BYTES > recordSet.length) return null;
  const rest = recordSet.subarray(at);
  if (!hasLength(rest)) return rest; // the start of the next one is unknown
  const end = PREFIX_BYTES + rest.readInt32BE(LENGTH);
  return end > rest.length ? null : rest.subarray(0, end);
};

/** The offset of the batch at this position, or of the end of the partition. */
const offsetAt = (recordSet: Buffer, at: number, highWatermark: bigint): bigint =>
  at + LENGTH > recordSet.length ? highWatermark : recordSet.readBigInt64BE(at + OFFSET);

/** Formats 0 and 1, which brokers before Kafka 4 may have, are left to kafkajs. */
const isOld = (batch: Buffer): boolean => batch[MAGIC] === 0 || batch[MAGIC] === 1;

const readableOrReplaced = (batch: Buffer, nextOffset: () => bigint): Buffer => {
  try {
    return readableBatch(batch);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return replace(batch, nextOffset(), error);
  }
};

/**
 * Returns the record set of a partition in a form that kafkajs can decode, unchanged if nothing in it is compressed or unreadable.
 * `highWatermark` is the offset of the end of the partition.
 */
export const readableRecordSet = (recordSet: Buffer, highWatermark: bigint): Buffer => {
  const batches: Buffer[] = [];
  let isSame = true;
  let at = 0;
  for (let batch = batchAt(recordSet, 0); batch !== null; batch = batchAt(recordSet, at)) {
    if (isOld(batch)) break;
    at += batch.length;
    const readable = readableOrReplaced(batch, () => offsetAt(recordSet, at, highWatermark));
    isSame &&= readable === batch;
    batches.push(readable);
  }
  return isSame ? recordSet : Buffer.concat([...batches, recordSet.subarray(at)]);
};
