import { IDEMPOTENCY_HEADER } from '@shortlist/contracts/api/credits';
import { idempotencyKeySchema } from '@shortlist/contracts/schemas/credits';
import { createError } from '@shortlist/kit/process/errors';

/** The operation id in the request's header. Throws `credits.idempotency_key_missing`. */
export const operationIdOf = (request: { get: (name: string) => string | undefined }): string => {
  const result = idempotencyKeySchema.validate(request.get(IDEMPOTENCY_HEADER));
  if (result.error) throw createError('credits.idempotency_key_missing');
  return result.value;
};

/** The id of an internal operation. A client's key cannot start with a space, so no client can use the id first. */
export const internalOperationId = (name: string): string => ` ${name}`;
