import { isIPv4 } from 'node:net';

// Writes a small database in MaxMind's format (https://maxmind.github.io/MaxMind-DB/), so that no licensed file is needed.

type Value = string | number | { [name: string]: Value };

const TYPES = { text: 2, uint32: 6, map: 7 };

/** A control byte for sizes below 29, or with one further byte. */
const control = (type: number, size: number): Buffer =>
  size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);

const encode = (value: Value): Buffer => {
  if (typeof value === 'string')
    return Buffer.concat([control(TYPES.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return Buffer.concat([control(TYPES.uint32, 4), uint(value, 4)]);
  const pairs = Object.entries(value).flatMap(([name, item]) => [encode(name), encode(item)]);
  return Buffer.concat([control(TYPES.map, Object.keys(value).length), ...pairs]);
};

const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const bitsOf = (network: string): number[] => {
  const [address = '', length] = network.split('/');
  if (!isIPv4(address)) throw new TypeError(`${network} is not an IPv4 network`);
  const bits = address
    .split('.')
    .flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number));
  return bits.slice(0, Number(length));
};

type Node = [number | null, number | null];

/** A database of IPv4 networks, such as `{ '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' } }`. */
export const createPlaceDatabase = (places: Record<string, { city?: string; country: string }>): Buffer => {
  const nodes: Node[] = [[null, null]];
  const leaves: { node: number; side: number; offset: number }[] = [];
  const data: Buffer[] = [];
  for (const [network, { city, country }] of Object.entries(places)) {
    const bits = bitsOf(network);
    let node = 0;
    for (const bit of bits.slice(0, -1)) {
      const row = nodes[node] as Node;
      if (row[bit as 0 | 1] === null) row[bit as 0 | 1] = nodes.push([null, null]) - 1;
      node = row[bit as 0 | 1] as number;
    }
    leaves.push({ node, side: bits.at(-1) ?? 0, offset: Buffer.concat(data).length });
    const names = (name: string): Value => ({ names: { en: name } });
    data.push(encode({ ...(city === undefined ? {} : { city: names(city) }), country: names(country) }));
  }
  for (const { node, side, offset } of leaves)
    (nodes[node] as Node)[side as 0 | 1] = nodes.length + 16 + offset;
  const tree = nodes.flatMap((row) => row.map((record) => uint(record ?? nodes.length, 3)));
  const metadata = {
    node_count: nodes.length,
    record_size: 24,
    ip_version: 4,
    build_epoch: 1_790_000_000,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    database_type: 'Test-City',
  };
  const mark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([...tree, Buffer.alloc(16), ...data, mark, encode(metadata)]);
};
