import { createReadStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { assertUtf8, mediaTypeOf } from '@shortlist/kit/http/content-type';
import { parseInput } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import multer, { MulterError } from 'multer';
import type { Exchange } from '../http/endpoint.ts';
import type { Services } from '../services.ts';

/** Room for seven of the largest forms. Their pictures are written to a temporary folder while they are read, because only then are the fields valid. */
const HELD_MAX_BYTES = 40 * 1024 * 1024;
/** Forms of this size, which have no picture, are not counted. */
const SMALL_BYTES = 64 * 1024;
const RETRY_SECONDS = 2;

// One for the process, whose share of the disk it limits.
let heldBytes = 0;

/**
 * Counts a form of this many bytes among those that this process has stored, until its response ends. Throws `profile.pictures_busy` when
 * there are too many.
 */
const holdForm = (bytes: number, response: ServerResponse): void => {
  if (bytes <= SMALL_BYTES) return;
  if (response.closed) throw createError('request.aborted');
  if (heldBytes + bytes > HELD_MAX_BYTES)
    throw createError('profile.pictures_busy', { retryAfterSeconds: RETRY_SECONDS });
  heldBytes += bytes;
  response.once('close', () => (heldBytes -= bytes));
};

/** A picture in the temporary folder, until the response ends. */
type File = { path: string; size: number };
type Parser = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Twice the fields of a profile, at their greatest lengths in UTF-8. */
export const FIELD_MAX_BYTES = 8 * 1024;

const parseForm = multer({
  storage: multer.diskStorage({}), // under a random name in the system's temporary folder
  limits: {
    files: 1,
    fileSize: PICTURE_MAX_BYTES,
    fields: 5,
    fieldSize: FIELD_MAX_BYTES,
    fieldNameSize: 100,
    parts: 7,
    headerPairs: 50,
  },
}).single('file') as Parser; // it uses nothing of Express's own request

const toFormError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const isTooLarge = error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE';
  return createError(isTooLarge ? 'profile.picture_size' : 'request.malformed', { cause: error });
};

/** The largest form: a picture, the fields, and the multipart boundaries. */
const FORM_MAX_BYTES = PICTURE_MAX_BYTES + 256 * 1024;

const readParts = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  // multer reads a body that it refuses to its end before it reports the error; this does not wait for it.
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > FORM_MAX_BYTES) reject(createError('profile.picture_size'));
  });
  parseForm(request, response, (error: unknown) => {
    if (error === undefined || error === null) resolve();
    else reject(toFormError(error));
  });
  await promise;
};

const removeAfter = ({ path }: File, response: ServerResponse): void => {
  const remove = (): void => void unlink(path).catch(() => undefined);
  if (response.closed) remove();
  else response.once('close', remove);
};

const parseJson = (text: unknown): unknown => {
  if (typeof text !== 'string') throw createError('request.malformed');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createError('request.malformed', { cause });
  }
};

export type FormExchange = Pick<Exchange, 'request' | 'response' | 'checkAgain'>;

const formParts = Joi.object<{ userData?: unknown }>({ userData: Joi.any() });

/**
 * Reads a multipart form: the JSON part `userData`, validated against `schema`, and an optional `file`. Checks the caller again afterwards,
 * since a picture may take a minute. A body that is too large
 * is refused by its Content-Length, or as soon as that many bytes have arrived. Throws `profile.pictures_busy` while this process
 * has too many forms with pictures.
 */
export const readForm = async <T>(
  { request, response, checkAgain }: FormExchange,
  schema: Joi.Schema<T>,
): Promise<{ userData: T; file: File | undefined }> => {
  if (mediaTypeOf(request) !== 'multipart/form-data') throw createError('request.unsupported_type');
  assertUtf8(request);
  const bytes = Number(request.headers['content-length'] ?? FORM_MAX_BYTES);
  if (bytes > FORM_MAX_BYTES) throw createError('profile.picture_size');
  holdForm(bytes, response);
  await readParts(request, response);
  const { file } = request as { file?: File };
  if (file !== undefined) removeAfter(file, response);
  await checkAgain?.();
  const { body } = request as { body?: { userData?: unknown } };
  const { userData } = parseInput(formParts, { ...body });
  return { userData: parseInput(schema, parseJson(userData)), file };
};

/** Stores an uploaded picture and returns its name; null when the form had none. */
export const storePicture = async (
  services: Services,
  caller: Caller,
  file: File | undefined,
): Promise<string | null> => {
  if (file === undefined) return null;
  const { name } = await services.profile(
    profileEndpoints.storePicture,
    { picture: createReadStream(file.path) },
    { caller, timeoutMs: 20_000, headers: { 'content-length': String(file.size) } },
  );
  return name;
};
