import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { AppError, createError } from '@shortlist/kit/process/errors';
import sharp from 'sharp';
import { isPicture, withoutText } from './picture.rules.ts';

/** Limits the memory of decoding: a small file may declare a very large canvas. */
const MAX_PIXELS = 40_000_000;
const SIDE = 512;
const STORED_MAX_BYTES = 100 * 1024;
const QUALITIES = [82, 70, 55, 40];
/** Decoding the largest canvas takes 200 MB, so pictures are decoded one at a time; when the queue is full, an upload is refused. */
const QUEUE = 20;

sharp.concurrency(1);
sharp.cache(false);

const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error', sequentialRead: true });

/** Returns the bytes to decode. */
const assertPicture = async (upload: Buffer): Promise<Buffer> => {
  if (upload.length > PICTURE_MAX_BYTES) throw createError('profile.picture_size');
  const bytes = withoutText(upload);
  if (!isPicture(upload, await open(bytes).metadata())) throw createError('profile.picture_type');
  return bytes;
};

const encode = async (bytes: Buffer): Promise<Buffer> => {
  for (const quality of QUALITIES) {
    const encoded = await open(bytes)
      .timeout({ seconds: 10 })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer();
    if (encoded.length <= STORED_MAX_BYTES) return encoded;
  }
  throw createError('profile.picture_size');
};

/** By the messages of libvips, which has no codes. */
const codeOf = (error: unknown): ErrorCode => {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('exceeds pixel limit')) return 'profile.picture_pixels';
  return message.includes('unsupported image format') ? 'profile.picture_type' : 'profile.picture_damaged';
};

const checkAndEncode = async (bytes: Buffer): Promise<Buffer> => {
  try {
    return await encode(await assertPicture(bytes));
  } catch (error) {
    throw error instanceof AppError ? error : createError(codeOf(error), { cause: error });
  }
};

/**
 * Decodes a picture and encodes it as a JPEG of at most 100 KB, which contains only the pixels of the upload. Throws `profile.picture_type` if
 * it is not a PNG, JPEG or GIF, and `profile.picture_damaged` or `profile.picture_pixels` if it cannot be decoded.
 */
export type EncodePicture = (bytes: Buffer) => Promise<Buffer>;

export const createPictureEncoder = (): EncodePicture => {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (bytes) => {
    if (waiting >= QUEUE) throw createError('profile.pictures_busy', { retryAfterSeconds: 2 });
    waiting += 1;
    const encoded = last.then(() => checkAndEncode(bytes));
    last = encoded.catch(() => undefined).finally(() => (waiting -= 1));
    return encoded;
  };
};
