// Schemas of which TypeScript knows what they accept, so that a shape is declared once: `TypeOf` infers its type.
import Joi from 'joi';

declare const accepts: unique symbol;
declare const omittable: unique symbol;

/** What a schema accepts, for the compiler alone. */
type Accepts<T> = { readonly [accepts]?: { value: T } };
export type Typed<T> = Joi.Schema & Accepts<T>;

/** Of a member that an object may lack. */
type Omittable = { readonly [omittable]: true };

/** The type of what a schema accepts. */
export type TypeOf<Schema> = Schema extends Accepts<infer T> ? T : never;

const typed = <T, Schema extends Joi.Schema = Joi.Schema>(schema: Schema) => schema as Schema & Accepts<T>;

// Each of these is required; `mayLack` says where one is not.

export const text = typed<string, Joi.StringSchema>(Joi.string().allow('').required());
export const flag = typed<boolean, Joi.BooleanSchema>(Joi.boolean().required());
export const count = typed<number, Joi.NumberSchema>(Joi.number().integer().min(0).required());
export const amount = typed<number, Joi.NumberSchema>(Joi.number().integer().required());
/** An instant in ISO 8601. */
export const time = typed<string, Joi.StringSchema>(Joi.string().isoDate().required());
/** Any UUID: one without a user is unknown (404), not invalid (400). */
export const uuid = typed<string, Joi.StringSchema>(
  Joi.string().guid({ separator: '-', wrapper: false }).required(),
);

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  typed<Value, Joi.StringSchema<Value>>(
    Joi.string<Value>()
      .valid(...values)
      .required(),
  );

export const nullable = <T>(schema: Typed<T>): Typed<T | null> => typed(schema.allow(null));

export const listOf = <T>(item: Typed<T>) =>
  typed<T[], Joi.ArraySchema>(Joi.array().items(item.optional()).required());

/** Text that says something; `text` may be empty. */
export const nonEmptyText = typed<string, Joi.StringSchema>(Joi.string().required());

/** A schema that Joi alone knows, such as one with a rule of its own, as one of this type. */
export const ofType = <T>(schema: Joi.Schema): Typed<T> => typed(schema);
export const ofText = (schema: Joi.StringSchema) => typed<string, Joi.StringSchema>(schema);
export const ofNumber = (schema: Joi.NumberSchema) => typed<number, Joi.NumberSchema>(schema);

/** The bytes of a body, which no schema describes: JSON has no such field. */
export const bytes = typed<Uint8Array>(Joi.forbidden());

export const either = <One, Other>(one: Typed<One>, other: Typed<Other>): Typed<One | Other> =>
  typed(Joi.alternatives(one, other));

/** A member that an object may lack, such as one that has a default. */
export const mayLack = <Schema extends Joi.Schema>(schema: Schema) => schema.optional() as Schema & Omittable;

export type Members = Record<string, Typed<unknown>>;

/** The type of an object with these members. */
export type Shape<Rules extends Members> = {
  -readonly [Name in keyof Rules as Rules[Name] extends Omittable ? never : Name]: TypeOf<Rules[Name]>;
} & {
  -readonly [Name in keyof Rules as Rules[Name] extends Omittable ? Name : never]?: TypeOf<Rules[Name]>;
};

/** The members of an object, or a schema that was made elsewhere. */
export type Rules = Members | Typed<unknown>;

/** The type of what the rules accept. */
export type Described<R> = R extends Joi.Schema ? TypeOf<R> : R extends Members ? Shape<R> : never;

export const toSchema = (rules: Rules): Joi.ObjectSchema =>
  Joi.isSchema(rules) ? (rules as Joi.ObjectSchema) : Joi.object(rules as Joi.SchemaMap);

/** An object with these members and no others. */
export const view = <const Rules extends Members>(members: Rules) =>
  typed<Shape<Rules>, Joi.ObjectSchema<Shape<Rules>>>(Joi.object<Shape<Rules>>(members).required());

/** What the reply of a change says about which there is no more to say. */
export const message = ofType<string>(Joi.string().required());
export const nextCursor = ofType<string | null>(Joi.string().allow(null).required());
