import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { coded } from '@shortlist/kit/errors';
import sharp from 'sharp';

const FORMATS = new Set(['png', 'jpeg', 'gif']);
/** Decoding is bounded: a small file may claim a canvas that would fill the memory. */
const MAX_PIXELS = 40_000_000;
const SIDE = 512;
const STORED_MAX_BYTES = 100 * 1024;
const QUALITIES = [82, 70, 55, 40];

sharp.concurrency(1);
sharp.cache(false);

const reader = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error', sequentialRead: true });

const assertPicture = async (bytes: Buffer): Promise<void> => {
  if (bytes.length > PICTURE_MAX_BYTES) throw coded('profile.picture_size');
  const { format } = await reader(bytes).metadata();
  if (!FORMATS.has(format)) throw coded('profile.picture_type');
};

const encode = async (bytes: Buffer): Promise<Buffer> => {
  for (const quality of QUALITIES) {
    const encoded = await reader(bytes)
      .timeout({ seconds: 10 })
      .rotate()
      .resize(SIDE, SIDE, { fit: 'cover', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer();
    if (encoded.length <= STORED_MAX_BYTES) return encoded;
  }
  throw coded('profile.picture_size');
};

/**
 * A picture as we keep it: decoded and written anew as JPEG of at most 100 KB, so that nothing of the upload but its
 * pixels is left. Throws `profile.picture_type` for anything that does not decode as PNG, JPEG or GIF.
 */
export const encodePicture = async (bytes: Buffer): Promise<Buffer> => {
  try {
    await assertPicture(bytes);
    return await encode(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'CodedError') throw error;
    throw coded('profile.picture_type', { cause: error });
  }
};
