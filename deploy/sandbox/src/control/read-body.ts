import type Joi from 'joi';
import { invalidRequest } from '../model/errors.ts';

export const readBody = <T>(schema: Joi.ObjectSchema<T>, body: unknown): T => {
  const result = schema.validate(body ?? {}, { abortEarly: false });
  if (result.error) throw invalidRequest({ message: result.error.message });
  return result.value;
};
