// The building blocks of schemas, and the validation of an input against one. `TypeOf` infers the type from a schema, so that each shape is
// declared once.
import Joi from 'joi';
import { dayOf } from '../durations.ts';
import type { FieldMessages } from '../errors.ts';

declare const accepts: unique symbol;
declare const omittable: unique symbol;

/** What a schema accepts, for the compiler alone. */
type Accepts<T> = { readonly [accepts]?: { value: T } };
export type Typed<T> = Joi.Schema & Accepts<T>;

type Omittable = { readonly [omittable]: true };

type Accepted<Schema> =
  Schema extends Accepts<infer T> ? T : Schema extends Joi.AnySchema<infer T> ? T : never;

const typed = <T, Schema extends Joi.Schema = Joi.Schema>(schema: Schema) => schema as Schema & Accepts<T>;

// Required, like all of these unless wrapped in `mayLack`.

export const text = Joi.string().allow('').required();
/** Unlike `text`, not empty. */
export const nonEmptyText = Joi.string().required();
export const flag = Joi.boolean().required();
export const amount = Joi.number().integer().required();
export const count = amount.min(0);
/** An instant in ISO 8601. */
export const time = nonEmptyText.isoDate();
/** Any UUID: one that belongs to no user is unknown (404), not invalid (400). */
export const uuid = nonEmptyText.guid({ separator: '-', wrapper: false });
export const textLike = (form: RegExp) => nonEmptyText.pattern(form);

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  typed<Value, Joi.StringSchema<Value>>(
    Joi.string<Value>()
      .valid(...values)
      .required(),
  );

export const nullable = <Schema extends Joi.Schema>(schema: Schema): Typed<TypeOf<Schema> | null> =>
  typed(schema.allow(null));

export const listOf = <Schema extends Joi.Schema>(item: Schema) =>
  typed<TypeOf<Schema>[], Joi.ArraySchema>(Joi.array().items(item.optional()).required());

/** Gives a type to a schema whose type cannot be inferred, such as one with a custom rule. */
export const ofType = <T>(schema: Joi.Schema): Typed<T> => typed(schema);

/** The bytes of a body, which no schema describes, because JSON has no such field. */
export const bytes = typed<Uint8Array>(Joi.forbidden());

export const either = <One extends Joi.Schema, Other extends Joi.Schema>(
  one: One,
  other: Other,
): Typed<TypeOf<One> | TypeOf<Other>> => typed(Joi.alternatives(one, other));

/** An optional member, such as one with a default. */
export const mayLack = <Schema extends Joi.Schema>(schema: Schema) => schema.optional() as Schema & Omittable;

export type Members = Record<string, Typed<unknown>>;

type Shape<Rules extends Members> = {
  -readonly [Name in keyof Rules as Rules[Name] extends Omittable ? never : Name]: Accepted<Rules[Name]>;
} & {
  -readonly [Name in keyof Rules as Rules[Name] extends Omittable ? Name : never]?: Accepted<Rules[Name]>;
};

/** The members of an object, or a complete schema. */
export type Rules = Members | Typed<unknown>;

/** The type that a schema, or members, accept. */
export type TypeOf<R> = R extends Joi.Schema ? Accepted<R> : R extends Members ? Shape<R> : never;

export const toSchema = (rules: Rules): Joi.ObjectSchema =>
  Joi.isSchema(rules) ? (rules as Joi.ObjectSchema) : Joi.object(rules as Joi.SchemaMap);

/** An object with these members and no others. */
export const view = <const Rules extends Members>(members: Rules) =>
  typed<Shape<Rules>, Joi.ObjectSchema<Shape<Rules>>>(Joi.object<Shape<Rules>>(members).required());

/** An object with exactly one of these members, besides the required ones. */
export const oneMemberOf = <
  const Choice extends Members,
  const Always extends Members = Record<never, never>,
>(
  choice: Choice,
  always?: Always,
) =>
  ofType<{ [Name in keyof Choice]: Record<Name, TypeOf<Choice[Name]>> }[keyof Choice] & Shape<Always>>(
    Joi.object({ ...always })
      .append(Object.fromEntries(Object.entries(choice).map(([name, rule]) => [name, rule.optional()])))
      .xor(...Object.keys(choice))
      .required(),
  );

/** The text of a reply that contains nothing else. */
export const message = Joi.string().required();
/** The reply of a change that returns no data. */
export const noData = { message };
export const nextCursor = nullable(nonEmptyText);

const UNKNOWN_FIELD = 'There is no field with this name';
const WRONG_FORM = '{{#label}} has a wrong form';

/** Joi's own messages would contain the value, which may be a secret or as long as a body. */
const WITHOUT_VALUES = {
  'object.unknown': UNKNOWN_FIELD,
  'any.unknown': UNKNOWN_FIELD,
  'string.pattern.base': WRONG_FORM,
  'string.pattern.name': WRONG_FORM,
  'string.pattern.invert.base': WRONG_FORM,
  'string.pattern.invert.name': WRONG_FORM,
};

/** One message for any violation: set by its code alone, the messages above would take precedence. */
export const oneMessage = (text: string): Record<string, string> => ({
  '*': text,
  ...Object.fromEntries(Object.keys(WITHOUT_VALUES).map((code) => [code, text])),
});

// Control and format characters (zero-width ones included) and lone surrogates: invisible, or not storable as UTF-8.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** Scripts whose spelling needs the zero-width joiner or non-joiner. Source: UAX 31 (2.3), RFC 5892 (CONTEXTJ). */
const JOINING = (
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
  'Khmer Myanmar Tibetan'
)
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A joiner between letters of such a script, and what makes one picture of several emoji. */
const JOINED = new RegExp(
  [
    `(?<=[${JOINING}]\\p{M}*)[\\u200c\\u200d](?=[${JOINING}])`,
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0020}-\\u{e007f}]',
  ].join('|'),
  'gu',
);

/** Whether a text has an invisible character that the spelling of its script does not need. */
const hasInvisible = (text: string): boolean => INVISIBLE.test(text.replace(JOINED, ''));

/** The number of characters as people and the database count them; JavaScript counts some twice. */
const lengthOf = (text: string): number => [...text].length;

/** The longest percent-encoding of one character: three characters for each of four bytes. */
const ENCODED_LENGTH = 12;

const decodeLetters = (encoded: string): string => {
  try {
    const text = decodeURIComponent(encoded);
    return hasInvisible(text) || /\s/.test(text) ? encoded : text;
  } catch {
    return encoded; // not UTF-8
  }
};

/**
 * A URL with its percent-encoded non-ASCII letters decoded (RFC 3987, section 3.2), as its reader sees it and its length is measured: a
 * Chinese name is nine times as long encoded. ASCII characters stay encoded, because decoding could change the meaning.
 */
export const decodedAddress = (address: string): string => {
  const decoded = address.replace(/(?:%[89a-f][\da-f])+/gi, decodeLetters);
  // Texts are stored in normal form C, which would change a URL with letters in another form.
  return decoded === decoded.normalize('NFC') ? decoded : address;
};

/** Scripts in which one character may be a name. */
const NAME_OF_ONE = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** Measures the decoded URL and returns it. */
export const addressRule =
  ({ max }: { max: number }): Joi.CustomValidator<string> =>
  (address, helpers) => {
    const decoded = decodedAddress(address);
    return lengthOf(decoded) > max ? helpers.error('string.max', { limit: max }) : decoded;
  };

/** The longest that a URL may be before it is decoded. */
export const encodedLength = (max: number): number => max * ENCODED_LENGTH;

/** A text that may be a URL: decoded if longer than the limit, otherwise as sent, so that a repeated request has the same text. */
export const textOrAddress = (max: number) =>
  Joi.string()
    .custom((text: string) => (text.length > max ? decodedAddress(text) : text))
    .max(max)
    .required();

/** One message for a text that is missing, or not a text. */
export const requiredMessages = (text: string) => ({
  'any.required': text,
  'string.base': text,
  'string.empty': text,
});

type Size = { min?: number; max: number };
type LineMessages = { required: string; min?: string };

/** `breaks`: invisible characters that are accepted. */
const lineRule =
  ({ min = 0, max }: Size, breaks: string): Joi.CustomValidator<string> =>
  (text, helpers) => {
    if (hasInvisible(text.replaceAll(breaks, ''))) return helpers.error('string.pattern.invert.base');
    if (lengthOf(text) > max) return helpers.error('string.max', { limit: max });
    if (lengthOf(text) < min && !NAME_OF_ONE.test(text)) return helpers.error('string.min', { limit: min });
    return text;
  };

const sized = (schema: Joi.StringSchema, messages: LineMessages, size: Size, breaks = '') =>
  schema
    .trim()
    .custom(lineRule(size, breaks))
    .required()
    .messages({
      ...requiredMessages(messages.required),
      'string.min': messages.min ?? messages.required,
      'string.max': `Please use at most ${size.max} characters`,
      'string.pattern.invert.base': 'Please use visible characters only',
    });

/** One line of text: trimmed, in Unicode normal form C, without invisible characters. Its size is in characters. */
export const line = (messages: LineMessages, size: Size) =>
  sized(Joi.string().normalize('NFC'), messages, size);

/** Like `line`, of several lines. */
export const paragraphs = (messages: LineMessages, size: Size) =>
  sized(Joi.string().normalize('NFC').replace(/\r\n?/g, '\n'), messages, size, '\n');

/** A filter that a form sends as empty text where it is not set. */
export const optionalText = (schema: Joi.StringSchema) => mayLack(schema.empty(''));

/** The cursor of a page of a list by time: milliseconds and the id of its last entry. `id`: the form of an id. */
export const timeCursor = (id: RegExp) =>
  optionalText(
    Joi.string()
      .pattern(new RegExp(`^\\d{1,14}\\.${id.source}$`))
      .messages({ 'string.pattern.base': 'Must be the cursor of a page' }),
  );

/** At least one of these values, each once; `message` is shown for an empty list. */
export const someOf = <const Value extends string>(values: readonly Value[], message: string) =>
  ofType<Value[]>(
    Joi.array()
      .items(Joi.valid(...values))
      .unique()
      .min(1)
      .required()
      .messages({ 'array.min': message }),
  );

/** Up to `most` ids, separated by commas. */
export const idList = (most: number) =>
  Joi.string()
    .pattern(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(,[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})*$/i)
    .max(most * 37)
    .required();

/** Converts digits of any script to ASCII: in Unicode, each set of ten is contiguous, starting with zero. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
};

/** A code as people type it: with separators, and in the digits of their script. */
export const typedCode = (form: RegExp) =>
  Joi.string()
    .normalize('NFKC')
    .custom((text: string, helpers) => {
      const code = text.replace(/\p{Nd}/gu, asciiDigit).replace(/[\s\p{Pd}.,_·]/gu, '');
      return form.test(code) ? code : helpers.error('string.pattern.base');
    })
    .required();

/** A whole number; in a query, decimal digits only: Joi alone also accepts 1e2, +5 and 5.0. */
export const wholeNumber = Joi.number()
  .integer()
  .custom((value: number, helpers) => {
    const { original } = helpers as { original: unknown };
    return typeof original === 'string' && !/^\d+$/.test(original) ? helpers.error('number.base') : value;
  })
  .required()
  .messages({ 'number.base': 'Must be a whole number, in digits only' });

const isTimeZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
};

/** An IANA time zone that this process knows, such as Europe/Oslo. */
export const timeZoneSchema = Joi.string()
  .max(60)
  .custom((value: string, helpers) => (isTimeZone(value) ? value : helpers.error('any.invalid')))
  .required()
  .messages({ 'any.invalid': 'This time zone is unknown' });

const isDay = (text: string): boolean =>
  /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(new Date(text)) === text;

/** A day of the calendar, as YYYY-MM-DD. */
export const day = Joi.string()
  .custom((value: string, helpers) => (isDay(value) ? value : helpers.error('any.invalid')))
  .required()
  .messages(oneMessage('Please enter a day as YYYY-MM-DD'));

/** Days in UTC, the last one included. Refuses a range that ends before it starts. */
export const dayRangeRules = {
  from: mayLack(day),
  to: mayLack(
    day
      .custom((to: string, helpers) => {
        const { from } = (helpers.state.ancestors as [DayRange])[0];
        return from !== undefined && isDay(from) && from > to ? helpers.error('range.order') : to;
      })
      .messages({ 'range.order': 'The last day cannot be before the first' }),
  ),
};
export type DayRange = { from?: string; to?: string };

type Validation<T> = { value: T; fields: null } | { value: null; fields: FieldMessages };

export const PROBLEMS_MAX = 10;
const MESSAGE_MAX = 200;
const NAME_MAX = 40;

/** A field name that a client may have made up: no longer than any of ours, in plain characters. */
export const shortName = (name: string): string => name.slice(0, NAME_MAX).replace(/[^\x20-\x7e]/g, '?');

const prepared = new WeakMap<Joi.Schema, Joi.Schema>();

/** Adds our messages to the schema. Passed to each validation, they would be compiled each time, which costs more than the validation itself. */
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
 * Validates `input`. Unknown fields are dropped, or invalid with `unknown: 'refuse'`. Returns the first message of each invalid field, for
 * up to ten fields, by the field's top-level name ('' for the input as a whole).
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
