import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '@shortlist/contracts/limits';
import { validate } from '@shortlist/contracts/schemas/validate';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Request, Response } from 'express';
import type Joi from 'joi';
import multer, { MulterError } from 'multer';

const upload = multer({
  storage: multer.memoryStorage(), // at most one file of five megabytes, handed on at once
  limits: {
    files: 1,
    fileSize: PICTURE_MAX_BYTES,
    fields: 5,
    fieldSize: 32 * 1024,
    fieldNameSize: 100,
    parts: 7,
    headerPairs: 50,
  },
  fileFilter: (_request, file, done) => {
    const known: readonly string[] = PICTURE_TYPES;
    if (known.includes(file.mimetype)) done(null, true);
    else done(createError('profile.picture_type'));
  },
}).single('file');

const uploadError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const tooLarge = error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE';
  return createError(tooLarge ? 'profile.picture_size' : 'request.malformed', { cause: error });
};

/** All that a form of ours can weigh: the picture, five fields, and what stands around them. */
const FORM_MAX_BYTES = PICTURE_MAX_BYTES + 256 * 1024;

/**
 * Reads `userData` and an optional `file` into the request. To be called once it is known that the caller may send them;
 * a body that is too large is refused by the length it announces, or as soon as it has come that far.
 */
export const readForm = async (request: Request, response: Response): Promise<void> => {
  if (!request.is('multipart/form-data')) throw createError('request.unsupported_type');
  if (Number(request.headers['content-length'] ?? 0) > FORM_MAX_BYTES)
    throw createError('profile.picture_size');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  // The parser reads a body that it refuses to its end before it says so; this does not wait for it.
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > FORM_MAX_BYTES) reject(createError('profile.picture_size'));
  });
  upload(request, response, (error: unknown) => {
    if (error === undefined || error === null) resolve();
    else reject(uploadError(error));
  });
  await promise;
};

const parse = (text: unknown): unknown => {
  if (typeof text !== 'string') throw createError('request.malformed');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createError('request.malformed', { cause });
  }
};

/** The JSON in the `userData` part that `readForm` has read, held against `schema`. */
export const readUserData = <T>(request: Request, schema: Joi.Schema<T>): T => {
  const body = request.body as { userData?: unknown } | undefined;
  const { value, fields } = validate(schema, parse(body?.userData));
  if (fields !== null) throw createError('request.invalid', { fields });
  return value;
};
