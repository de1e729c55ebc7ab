import type Joi from 'joi';
import type { FieldMessages } from '../errors.ts';

export type Validation<T> = { value: T; fields: null } | { value: null; fields: FieldMessages };

const UNKNOWN_FIELD = 'There is no field of this name';

/**
 * Validates `input`. Unknown fields are dropped, as a form's own fields are, or with `unknown: 'refuse'` invalid. For each
 * invalid field it returns the first message, by the field's top-level name ('' stands for the input as a whole).
 */
export const validate = <T>(
  schema: Joi.Schema<T>,
  input: unknown,
  { unknown }: { unknown: 'drop' | 'refuse' } = { unknown: 'drop' },
): Validation<T> => {
  const result = schema.validate(input, {
    abortEarly: false,
    stripUnknown: unknown === 'drop',
    errors: { wrap: { label: false } },
    messages: { 'object.unknown': UNKNOWN_FIELD, 'any.unknown': UNKNOWN_FIELD },
  });
  if (result.error === undefined) return { value: result.value, fields: null };
  const fields: FieldMessages = {};
  for (const { path, message } of result.error.details) fields[String(path[0] ?? '')] ??= message;
  return { value: null, fields };
};
