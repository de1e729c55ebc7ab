import { crc32, deflateSync } from 'node:zlib';

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** Returns a valid PNG of one gray, as an upload. Journeys that search for a picture need one that no other stores. */
export const pictureFile = (gray = 0x7a): { name: string; mimeType: string; buffer: Buffer } => {
  const side = 64;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8); // eight bits a channel, red green blue
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, gray)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => line)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return { name: 'face.png', mimeType: 'image/png', buffer: Buffer.concat(parts) };
};
