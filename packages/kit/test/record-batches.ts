// Batches as brokers send them, and their messages as kafkajs decodes them: an encoder and a decoder of others.
import { createRequire } from 'node:module';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { compressFrameSync } from 'lz4-napi';
import { compressSync } from 'snappy';

type Encoded = { buffer: Buffer };
type Decoded = { offset: string; value: Buffer | null; headers: Record<string, Buffer> };
type Decoder = object;

const require = createRequire(import.meta.url);
const protocol = (path: string): unknown => require(`kafkajs/src/protocol/${path}`);
const Encoder = protocol('encoder') as new () => Encoded;
const DecoderOf = protocol('decoder') as new (bytes: Buffer) => Decoder;
const { RecordBatch } = protocol('recordBatch/v0') as { RecordBatch: (batch: object) => Promise<Encoded> };
const Record = protocol('recordBatch/record/v0') as (record: object) => Encoded;
const crcOf = protocol('recordBatch/crc32C') as (bytes: Buffer) => number;
const decodeMessages = protocol('requests/fetch/v4/decodeMessages') as (
  decoder: Decoder,
) => Promise<Decoded[]>;
const { decode } = protocol('requests/fetch/v11/response') as {
  decode: (payload: Buffer) => Promise<{
    responses: { topicName: string; partitions: { partition: number; messages: Decoded[] }[] }[];
  }>;
};

/** The positions of fields in a batch. */
export const AT = {
  length: 8,
  magic: 16,
  checksum: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  count: 57,
  records: 61,
};

/** Writes the checksum that belongs to the other bytes. */
export const sign = (batch: Buffer): Buffer => {
  batch.writeUInt32BE(crcOf(batch.subarray(AT.attributes)) >>> 0, AT.checksum);
  return batch;
};

export const PUBLISHED = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A batch with a message for each text, without compression. */
export const batchOf = async (firstOffset: number, texts: readonly string[]): Promise<Buffer> => {
  const records = texts.map((text, offsetDelta) =>
    Record({ offsetDelta, timestampDelta: 0, key: 'key', value: text, headers: { from: 'here' } }),
  );
  const { buffer } = await RecordBatch({
    firstOffset: BigInt(firstOffset),
    firstTimestamp: PUBLISHED,
    maxTimestamp: PUBLISHED,
    lastOffsetDelta: texts.length - 1,
    records,
  });
  return Buffer.from(buffer);
};

/** Snappy as Java writes it, in blocks of some bytes. */
const xerial = (bytes: Buffer): Buffer => {
  const blocks: Buffer[] = [Buffer.from('82534e4150505900' + '00000001' + '00000001', 'hex')];
  for (let at = 0; at < bytes.length; at += 100) {
    const block = compressSync(bytes.subarray(at, at + 100));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    blocks.push(length, block);
  }
  return Buffer.concat(blocks);
};

export const compressions = {
  gzip: [1, gzipSync],
  'snappy of Java': [2, xerial],
  snappy: [2, (bytes: Buffer) => compressSync(bytes)],
  lz4: [3, (bytes: Buffer) => compressFrameSync(bytes)],
  zstd: [4, zstdCompressSync],
} as const satisfies Record<string, readonly [number, (bytes: Buffer) => Buffer]>;

/** The batch with other bytes of records, which a codec has made. */
export const withRecords = (batch: Buffer, codec: number, records: Buffer): Buffer => {
  const header = Buffer.from(batch.subarray(0, AT.records));
  header.writeInt16BE(codec, AT.attributes);
  header.writeInt32BE(AT.records - 12 + records.length, AT.length);
  return sign(Buffer.concat([header, records]));
};

export const compress = (batch: Buffer, name: keyof typeof compressions): Buffer => {
  const [codec, run] = compressions[name];
  return withRecords(batch, codec, run(Buffer.from(batch.subarray(AT.records))));
};

const sized = (bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
};

export const decodeRecordSet = (recordSet: Buffer): Promise<Decoded[]> =>
  decodeMessages(new DecoderOf(sized(recordSet)));

/** Of a response, without its length and correlation id. */
export const decodeResponse = decode;

type Partition = { partition: number; highWatermark: number; recordSet: Buffer; aborted?: number };

/** A response to a fetch of version 11. */
export const responseOf = (
  correlationId: number,
  topics: Readonly<Record<string, readonly Partition[]>>,
): Buffer => {
  const encoded = new Encoder() as Encoded & Record<string, (value: unknown) => typeof encoded>;
  const write = (type: string, value: unknown): void => void encoded[`write${type}`]?.(value);
  write('Int32', correlationId);
  write('Int32', 0);
  write('Int16', 0);
  write('Int32', 7);
  write('Int32', Object.keys(topics).length);
  for (const [topic, partitions] of Object.entries(topics)) {
    write('String', topic);
    write('Int32', partitions.length);
    for (const { partition, highWatermark, recordSet, aborted = 0 } of partitions) {
      write('Int32', partition);
      write('Int16', 0);
      for (const offset of [highWatermark, highWatermark, 0]) write('Int64', BigInt(offset));
      write('Int32', aborted);
      for (let index = 0; index < aborted; index += 1) for (const _ of [0, 1]) write('Int64', 0n);
      write('Int32', -1);
      write('Bytes', recordSet);
    }
  }
  return sized(Buffer.from(encoded.buffer));
};
