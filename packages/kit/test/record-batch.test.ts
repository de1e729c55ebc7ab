import { describe, expect, it } from 'vitest';
import {
  correlationIdOf,
  createResponseCollector,
  fetchIn,
  readableResponse,
} from '../src/messaging/fetch-response.ts';
import { DECOMPRESSED_MAX } from '../src/messaging/kafka-codecs.ts';
import { crc32c, readableRecordSet, unreadableBatchIn } from '../src/messaging/record-batch.ts';
import {
  AT,
  batchOf,
  compress,
  compressions,
  decodeRecordSet,
  decodeResponse,
  PUBLISHED,
  responseOf,
  sign,
  withRecords,
} from './record-batches.ts';

const texts = (...numbers: number[]): string[] => numbers.map((number) => `message ${number} `.repeat(20));
const before = await batchOf(0, texts(0, 1));
const middle = await batchOf(2, texts(2, 3, 4));
const behind = await batchOf(5, texts(5));
const END = 6n;
const names = Object.keys(compressions) as (keyof typeof compressions)[];

/** The messages of a record set that is made readable: their texts, or the unreadable batch that they stand for. */
const read = async (...batches: Buffer[]) => {
  const messages = await decodeRecordSet(readableRecordSet(Buffer.concat(batches), END));
  return messages.map(({ offset, value, headers }) => {
    const entries = Object.entries(headers).map(([name, text]) => [name, String(text)] as const);
    const unreadable = unreadableBatchIn(Object.fromEntries(entries));
    return { offset: Number(offset), ...(unreadable ?? {}), text: String(value) };
  });
};
const changed = (batch: Buffer, change: (copy: Buffer) => unknown): Buffer => {
  const copy = Buffer.from(batch);
  change(copy);
  return copy;
};
const asRead = (numbers: number[]) =>
  texts(...numbers).map((text, index) => ({ offset: numbers[index], text }));

it('the checksum is that of the standard', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(0))).toBe(0);
});

it('batches that kafkajs can decode stay unchanged, and so does a truncated one', async () => {
  const recordSet = Buffer.concat([before, middle, behind.subarray(0, -1)]);
  expect(readableRecordSet(recordSet, END)).toBe(recordSet);
  expect(await read(before, middle, behind)).toEqual(asRead([0, 1, 2, 3, 4, 5]));
  for (const length of [0, 1, 16, 60, 61]) {
    const start = recordSet.subarray(0, length);
    expect(readableRecordSet(start, END)).toBe(start);
  }
});

it('older formats are left to kafkajs', () => {
  for (const magic of [0, 1]) {
    const old = changed(before, (batch) => batch.writeInt8(magic, AT.magic));
    expect(readableRecordSet(old, END)).toBe(old);
  }
});

it.each(names)('%s is decompressed, even next to uncompressed batches', async (name) => {
  expect(await read(compress(middle, name))).toEqual(asRead([2, 3, 4]));
  expect(await read(before, compress(middle, name), behind)).toEqual(asRead([0, 1, 2, 3, 4, 5]));
});

const unreadable = (cause: string) => [
  ...asRead([0, 1]),
  {
    offset: 4,
    first: '2',
    last: '4',
    cause: expect.stringContaining(cause) as string,
    text: expect.any(String) as string,
  },
  ...asRead([5]),
];

describe('a batch that cannot be read is replaced by a message at its last offset', () => {
  const records = middle.subarray(AT.records);
  const signed = (change: (copy: Buffer) => unknown): Buffer => sign(changed(middle, change));
  it.each<readonly [string, Buffer, string]>([
    ...[5, 6, 7].map(
      (codec) =>
        [`codec ${codec}`, withRecords(middle, codec, records), `no codec has the number ${codec}`] as const,
    ),
    [
      'a newer format',
      changed(middle, (batch) => batch.writeInt8(3, AT.magic)),
      'no format has the number 3',
    ],
    [
      'a wrong checksum',
      changed(middle, (batch) => batch.writeInt32BE(1, AT.checksum)),
      'its checksum is wrong',
    ],
    ...names.map(
      (name) =>
        [
          `${name} with other bytes`,
          withRecords(middle, compressions[name][0], records),
          'cannot decompress it',
        ] as const,
    ),
    ...names.map((name) => {
      const bytes = compress(middle, name).subarray(AT.records, -6);
      return [`${name} that ends early`, withRecords(middle, compressions[name][0], bytes), ''] as const;
    }),
    ['records that end early', withRecords(middle, 0, records.subarray(0, -3)), 'its records end too early'],
    [
      'records with more behind',
      withRecords(middle, 0, Buffer.concat([records, Buffer.of(0)])),
      'followed by other bytes',
    ],
    ['more records than there are', signed((batch) => batch.writeInt32BE(4, AT.count)), 'end too early'],
    [
      'fewer records than there are',
      signed((batch) => batch.writeInt32BE(2, AT.count)),
      'followed by other bytes',
    ],
    ['a negative number of records', signed((batch) => batch.writeInt32BE(-1, AT.count)), '-1 records'],
    [
      'more records than kafkajs takes',
      signed((batch) => batch.writeInt32BE(1e6, AT.count)),
      '1000000 records',
    ],
    [
      'a record that ends late',
      signed((batch) => batch.writeUInt8((batch[AT.records] ?? 0) + 2, AT.records)),
      '',
    ],
    ['a number without an end', withRecords(middle, 0, Buffer.alloc(40, 0xff)), 'too long'],
  ])('%s', async (_, batch, cause) => {
    expect(await read(before, batch, behind)).toEqual(unreadable(cause));
  });

  it('an offset outside the batch', async () => {
    const batch = signed((copy) => copy.writeInt32BE(1, AT.lastOffsetDelta));
    const [, , message] = await read(before, batch, behind);
    expect(message).toMatchObject({ offset: 3, cause: expect.stringContaining('outside of it') as string });
  });

  const zeros = Buffer.alloc(DECOMPRESSED_MAX + 1);
  it.each(names)('more than fits in memory, with %s', async (name) => {
    const [codec, run] = compressions[name];
    const message = await read(before, withRecords(middle, codec, run(zeros)), behind);
    expect(message).toEqual(unreadable('larger'));
  });

  it('states when it was published, and keeps its bytes', async () => {
    const batch = withRecords(middle, 6, records);
    const [, , message] = await read(before, batch, behind);
    expect(message?.cause).toBe(
      `unreadable batch, published ${new Date(PUBLISHED).toISOString()}: no codec has the number 6`,
    );
    expect(Buffer.from(message?.text ?? '', 'base64')).toEqual(batch);
  });

  it('does not keep the bytes of a large one, which would be too large for a message', async () => {
    const [message] = await read(withRecords(middle, 6, Buffer.alloc(300_000)));
    expect(message).toMatchObject({ offset: 4, text: '' });
  });

  it('a message with a copied header stays a message', () => {
    expect(unreadableBatchIn({ unreadable: '{"first":"0"}', cause: 'x' })).toBeNull();
  });
});

it('whichever byte of a batch is wrong, only that batch is set aside, once, and those around it are read', async () => {
  for (const batch of [middle, compress(middle, 'lz4')])
    for (let at = AT.magic; at < batch.length; at += 1) {
      if (at === AT.magic) continue;
      const damaged = changed(batch, (copy) => copy.writeUInt8((copy[at] ?? 0) ^ 0x41, at));
      const messages = await read(before, damaged, behind);
      const [first, second, replaced, ...others] = messages;
      expect([first, second, ...others], `byte ${at}`).toEqual(asRead([0, 1, 5]));
      expect(replaced?.cause, `byte ${at}`).toContain('its checksum is wrong');
      // Never behind the offset of the next batch, which would be skipped.
      expect(replaced?.offset).toBeGreaterThanOrEqual(2);
      expect(replaced?.offset).toBeLessThanOrEqual(4);
    }
});

it('a damaged batch at the end skips nothing beyond the end of the partition', async () => {
  const damaged = changed(middle, (batch) => batch.writeInt32BE(1_000_000, AT.lastOffsetDelta));
  expect(await read(before, damaged)).toEqual([
    ...asRead([0, 1]),
    expect.objectContaining({ offset: Number(END) - 1, first: '2', last: '5' }),
  ]);
});

it('a batch without a length skips only its first offset, and what follows is requested again', async () => {
  for (const length of [-1, 0, 48]) {
    const damaged = changed(middle, (batch) => batch.writeInt32BE(length, AT.length));
    expect(await read(before, damaged, behind)).toEqual([
      ...asRead([0, 1]),
      expect.objectContaining({ offset: 2, first: '2', last: '2' }),
    ]);
  }
});

describe('a response to a fetch', () => {
  const partitions = (recordSet: Buffer) => ({
    one: [
      { partition: 0, highWatermark: 2, recordSet: before },
      { partition: 3, highWatermark: 6, recordSet, aborted: 2 },
    ],
    two: [
      { partition: 1, highWatermark: 0, recordSet: Buffer.alloc(0) },
      { partition: 2, highWatermark: 6, recordSet: Buffer.concat([recordSet, behind]) },
    ],
  });
  /** The texts of each partition. */
  const decode = async (response: Buffer) => {
    expect(response.readInt32BE()).toBe(response.length - 4);
    const { responses } = await decodeResponse(response.subarray(8));
    return responses.map(({ topicName, partitions: ofTopic }) => [
      topicName,
      ofTopic.map(({ partition, messages }) => [partition, messages.map(({ value }) => String(value))]),
    ]);
  };

  it('stays unchanged if kafkajs can decode it', () => {
    const response = responseOf(9, partitions(middle));
    expect(readableResponse(response)).toBe(response);
  });

  it('is decoded like an uncompressed one', async () => {
    const compressed = readableResponse(responseOf(9, partitions(compress(middle, 'zstd'))));
    expect(correlationIdOf(compressed)).toBe(9);
    expect(await decode(compressed)).toEqual(await decode(responseOf(9, partitions(middle))));
  });

  it('has every other message of every partition, in addition to the replacement of an unreadable batch', async () => {
    const readable = readableResponse(responseOf(9, partitions(withRecords(middle, 7, Buffer.alloc(5)))));
    expect(await decode(readable)).toEqual([
      [
        'one',
        [
          [0, texts(0, 1)],
          [3, [expect.any(String)]],
        ],
      ],
      [
        'two',
        [
          [1, []],
          [2, [expect.any(String), ...texts(5)]],
        ],
      ],
    ]);
  });

  it('is not understood when it is something else', () => {
    const response = responseOf(9, partitions(middle));
    expect(() => readableResponse(response.subarray(0, 60))).toThrow(RangeError);
    expect(() => readableResponse(Buffer.alloc(30, 0x7f))).toThrow(RangeError);
  });

  it('is recognised by its request, a fetch of the supported version', () => {
    const request = (key: number, version: number): Buffer =>
      Buffer.from(
        `00000010${[key, version].map((part) => part.toString(16).padStart(4, '0')).join('')}0000002affff`,
        'hex',
      );
    expect(fetchIn(request(1, 11))).toBe(42);
    for (const [key, version] of [
      [1, 10],
      [1, 12],
      [0, 11],
      [3, 11],
    ] as const)
      expect(fetchIn(request(key, version))).toBeNull();
    expect(fetchIn(Buffer.alloc(3))).toBeNull();
  });
});

describe('the responses of a connection', () => {
  const responses = [
    responseOf(1, {}),
    responseOf(2, { one: [{ partition: 0, highWatermark: 2, recordSet: before }] }),
  ];
  const bytes = Buffer.concat([...responses, ...responses]);
  it.each([1, 2, 3, 5, 100, 1_000_000])('arrive whole and in order from pieces of %i bytes', (size) => {
    const collect = createResponseCollector();
    const collected: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) collected.push(...collect(bytes.subarray(at, at + size)));
    expect(collected).toEqual([...responses, ...responses]);
  });

  it('are passed on unchanged if they are not Kafka’s', () => {
    const collect = createResponseCollector();
    const alert = Buffer.from('ffffffff0a0b0c', 'hex');
    expect(Buffer.concat(collect(alert))).toEqual(alert);
    expect(collect(responses[0] as Buffer)).toEqual([responses[0]]);
  });
});
