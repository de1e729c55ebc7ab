// The parts of the schemas of replies, from which the public API is described. Tests compare every reply with its schema.
import Joi from 'joi';
import { time } from './text.ts';

export const text = Joi.string().allow('').required();
export const flag = Joi.boolean().required();
export const count = Joi.number().integer().min(0).required();
export const amount = Joi.number().integer().required();
export const nullableText = text.allow(null);
export const nullableTime = time.allow(null);
export const nullableCount = count.allow(null);

export const oneOf = <Value extends string>(values: readonly Value[]): Joi.StringSchema<Value> =>
  Joi.string<Value>()
    .valid(...values)
    .required();
export const listOf = (item: Joi.Schema): Joi.ArraySchema => Joi.array().items(item.optional()).required();
/** An object with these members and no others. */
export const view = <View>(members: Record<keyof View, Joi.Schema>): Joi.ObjectSchema<View> =>
  Joi.object<View>(members as Joi.SchemaMap).required();

export const message = Joi.string().required();
export const nextCursor = Joi.string().allow(null).required();
