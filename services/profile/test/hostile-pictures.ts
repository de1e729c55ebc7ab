import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const MEGABYTE = 1024 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SCRIPT = '<script>alert(document.domain)</script>';

export const picture = (side = 64): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#a03060' } })
    .png()
    .toBuffer();

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, 0], 8); // eight bits, true colour, not interlaced
  return chunk('IHDR', data);
};

const pngOf = (width: number, height: number, ...chunks: Buffer[]): Buffer => {
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * Math.min(height, 64)));
  const parts = [header(width, height), ...chunks, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...parts]);
};

/** `megabytes` of one letter, compressed to a thousandth. Compressed in pieces, so that the test takes little memory too. */
const bomb = async (megabytes: number): Promise<Buffer> => {
  const packing = createDeflate();
  const packed = buffer(packing);
  const letters = Buffer.alloc(MEGABYTE, 'A');
  for (let at = 0; at < megabytes; at += 1)
    if (!packing.write(letters)) await new Promise((resolve) => packing.once('drain', resolve));
  packing.end();
  return packed;
};

const BEFORE_BOMB: Record<'iTXt' | 'zTXt' | 'iCCP', Buffer> = {
  iTXt: Buffer.from('Comment\0\x01\0\0\0', 'latin1'), // keyword, compressed, method, language, translated keyword
  zTXt: Buffer.from('Comment\0\0', 'latin1'),
  iCCP: Buffer.from('icc\0\0', 'latin1'),
};

/** Half a gigabyte, compressed once for all kinds of chunks. */
let halfGigabyte: Promise<Buffer> | undefined;

/** A small picture with a compressed chunk that decompresses to half a gigabyte. */
const withBomb = async (type: keyof typeof BEFORE_BOMB): Promise<Buffer> => {
  halfGigabyte ??= bomb(512);
  return pngOf(64, 64, chunk(type, Buffer.concat([BEFORE_BOMB[type], await halfGigabyte])));
};

/** A picture with five compressed texts of 50 MB, together too small to be refused. */
export const withTexts = async (): Promise<Buffer> => {
  const one = chunk('zTXt', Buffer.concat([BEFORE_BOMB.zTXt, await bomb(50)]));
  return pngOf(64, 64, ...Array.from({ length: 5 }, () => one));
};

/** As many compressed chunks as fit an upload, each small enough to be accepted on its own. */
const withManyBombs = async (): Promise<Buffer> => {
  const one = chunk('zTXt', Buffer.concat([BEFORE_BOMB.zTXt, await bomb(4)]));
  return pngOf(64, 64, ...Array.from({ length: 1_000 }, () => one));
};

export const pngWithNote = (note: string): Buffer =>
  pngOf(64, 64, chunk('tEXt', Buffer.from(`Comment\0${note}`, 'latin1')));

/** The largest accepted canvas, interlaced, so that it cannot be decoded line by line. */
export const largestCanvas = (): Promise<Buffer> =>
  sharp({ create: { width: 7_900, height: 5_000, channels: 3, background: '#a03060' } })
    .jpeg({ progressive: true })
    .toBuffer();

const hugeCanvas = (): Buffer => pngOf(30_000, 30_000);

const FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);

/** A GIF of one pixel with `frames` frames. */
export const gifOf = (frames: number, screen = Buffer.from([1, 0, 1, 0])): Buffer => {
  const start = Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  return Buffer.concat([start, ...Array.from({ length: frames }, () => FRAME), Buffer.from([0x3b])]);
};

/**
 * A GIF that is followed by a script. Its width and height are the bytes of `screen`: `/*` there starts a comment, which hides the
 * rest of the picture from a script engine.
 */
export const gifScript = (screen: string): Buffer =>
  Buffer.concat([gifOf(1, Buffer.from(screen, 'latin1')), Buffer.from('*/=1;alert(document.domain)//')]);

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`;

export const hostile: Record<string, () => Promise<Buffer> | Buffer> = {
  HTML: () => Buffer.from(`<!doctype html><html>${SCRIPT}</html>`),
  'an SVG': () => Buffer.from(svg),
  'an SVG with an XML head': () => Buffer.from(`<?xml version="1.0"?>${svg}`),
  PHP: () => Buffer.from('<?php system($_GET["c"]); ?>'),
  'PHP after the first bytes of a PNG': () =>
    Buffer.concat([SIGNATURE, Buffer.from('<?php system("id"); ?>')]),
  'HTML after the first bytes of a GIF': () => Buffer.from(`GIF89a${SCRIPT}`),
  'a GIF that is a script too': () => gifScript('/*\x01\0'),
  'a PDF': () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n'),
  'a WebP': async () =>
    sharp(await picture())
      .webp()
      .toBuffer(),
  'a TIFF': async () =>
    sharp(await picture())
      .tiff()
      .toBuffer(),
  'nothing at all': () => Buffer.alloc(1),
  'a PNG that is cut off': async () => (await picture(512)).subarray(0, -40),
  'a canvas of 30,000 by 30,000': hugeCanvas,
  'an animation of 10,000 frames': () => gifOf(10_000),
  'a chunk of text (iTXt) that unpacks to 512 MB': () => withBomb('iTXt'),
  'a chunk of text (zTXt) that unpacks to 512 MB': () => withBomb('zTXt'),
  'a colour profile (iCCP) that unpacks to 512 MB': () => withBomb('iCCP'),
  'a thousand chunks that unpack to 4 MB each': withManyBombs,
};

export const makeAll = (corpus: typeof hostile): Promise<[string, Buffer][]> =>
  Promise.all(
    Object.entries(corpus).map(async ([name, make]): Promise<[string, Buffer]> => [name, await make()]),
  );
