import type Joi from 'joi';
import type { FieldMessages } from '../errors.ts';

export type Validation<T> = { value: T; fields: null } | { value: null; fields: FieldMessages };

const UNKNOWN_FIELD = 'There is no field of this name';
const WRONG_FORM = '{{#label}} has a wrong form';

/** Messages that Joi would write with the value, which may be a secret or as long as a body. */
const WITHOUT_VALUES = {
  'object.unknown': UNKNOWN_FIELD,
  'any.unknown': UNKNOWN_FIELD,
  'string.pattern.base': WRONG_FORM,
  'string.pattern.name': WRONG_FORM,
  'string.pattern.invert.base': WRONG_FORM,
  'string.pattern.invert.name': WRONG_FORM,
};

/** What a response says at most of an invalid input. */
export const PROBLEMS_MAX = 10;
const MESSAGE_MAX = 200;
const NAME_MAX = 40;

/** A name that may be a client's own: as long as any of ours, in plain characters. */
export const shortName = (name: string): string => name.slice(0, NAME_MAX).replace(/[^\x20-\x7e]/g, '?');

const prepared = new WeakMap<Joi.Schema, Joi.Schema>();

/** The schema with our messages. Given to each validation, they would be compiled each time, which costs more than the validation. */
const prepare = <T>(schema: Joi.Schema<T>): Joi.Schema<T> => {
  const known = prepared.get(schema);
  if (known) return known as Joi.Schema<T>;
  const options = {
    abortEarly: false,
    errors: { wrap: { label: false } },
    messages: WITHOUT_VALUES,
  } as const;
  const withMessages = schema.preferences(options);
  prepared.set(schema, withMessages);
  return withMessages;
};

/**
 * Validates `input`. Unknown fields are dropped, as a form's own fields are, or with `unknown: 'refuse'` invalid. For each
 * invalid field it returns the first message, by the field's top-level name ('' stands for the input as a whole), of ten at most.
 */
export const validate = <T>(
  schema: Joi.Schema<T>,
  input: unknown,
  { unknown }: { unknown: 'drop' | 'refuse' } = { unknown: 'drop' },
): Validation<T> => {
  const result = prepare(schema).validate(input, { stripUnknown: unknown === 'drop' });
  if (result.error === undefined) return { value: result.value, fields: null };
  const fields = new Map<string, string>();
  for (const { path, message } of result.error.details) {
    const name = shortName(String(path[0] ?? ''));
    if (fields.size < PROBLEMS_MAX && !fields.has(name)) fields.set(name, message.slice(0, MESSAGE_MAX));
  }
  return { value: null, fields: Object.fromEntries(fields) };
};
