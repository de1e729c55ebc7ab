import type Joi from 'joi';
import type { FieldMessages } from '../errors.ts';

export type Validation<T> = { value: T; fields: null } | { value: null; fields: FieldMessages };

/**
 * Validates `input`. Unknown fields are dropped. For each invalid field it returns the first message, by the field's top-level
 * name ('' stands for the input as a whole).
 */
export const validate = <T>(schema: Joi.Schema<T>, input: unknown): Validation<T> => {
  const result = schema.validate(input, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  });
  if (result.error === undefined) return { value: result.value, fields: null };
  const fields: FieldMessages = {};
  for (const { path, message } of result.error.details) fields[String(path[0] ?? '')] ??= message;
  return { value: null, fields };
};
