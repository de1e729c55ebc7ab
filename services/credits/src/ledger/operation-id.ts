import { IDEMPOTENCY_HEADER } from '@shortlist/contracts/api/credits';
import { idempotencyKeySchema } from '@shortlist/contracts/schemas/credits';
import { createError } from '@shortlist/kit/process/errors';

/** The operation that a request belongs to, by its header. Throws `credits.idempotency_key_missing`. */
export const operationIdOf = (request: { get: (name: string) => string | undefined }): string => {
  const { value, error } = idempotencyKeySchema.validate(request.get(IDEMPOTENCY_HEADER));
  if (error) throw createError('credits.idempotency_key_missing');
  return value;
};

/** The id of an operation of our own. It begins with a space, which no caller's key can have, so nobody can take it first. */
export const internalOperationId = (name: string): string => ` ${name}`;
