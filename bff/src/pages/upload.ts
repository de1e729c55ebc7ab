import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '@shortlist/contracts/limits';
import { validate } from '@shortlist/contracts/schemas/validate';
import { CodedError, coded } from '@shortlist/kit/errors';
import type { Request, RequestHandler } from 'express';
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
    else done(coded('profile.picture_type'));
  },
}).single('file');

const codedUpload = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  const tooLarge = error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE';
  return coded(tooLarge ? 'profile.picture_size' : 'request.malformed', { cause: error });
};

/** Reads `userData` and an optional `file`. What is refused ends the connection, so that nobody sends the rest for nothing. */
export const readMultipart: RequestHandler = (request, response, next) => {
  if (!request.is('multipart/form-data')) return next(coded('request.unsupported_type'));
  upload(request, response, (error: unknown) => {
    if (error === undefined || error === null) return next();
    response.setHeader('connection', 'close');
    next(codedUpload(error));
  });
};

const parse = (text: unknown): unknown => {
  if (typeof text !== 'string') throw coded('request.malformed');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw coded('request.malformed', { cause });
  }
};

/** The JSON in the `userData` part, held against `schema`. */
export const readUserData = <T>(request: Request, schema: Joi.Schema<T>): T => {
  const body = request.body as { userData?: unknown } | undefined;
  const { value, fields } = validate(schema, parse(body?.userData));
  if (fields !== null) throw coded('request.invalid', { fields });
  return value;
};
