import type { FieldMessages } from '@shortlist/contracts/errors';
import { validate } from '@shortlist/contracts/schemas/validate';
import type Joi from 'joi';

/** The contracts' schema as a form reads it. Loads Joi, so it is only imported together with a form's rules. */
export const messagesOf = (schema: Joi.Schema, values: unknown): FieldMessages =>
  validate(schema, values).fields ?? {};
