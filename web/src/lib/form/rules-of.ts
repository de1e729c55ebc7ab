import type { FieldMessages } from '@shortlist/contracts/errors';
import { validate } from '@shortlist/contracts/schemas/validate';
import type Joi from 'joi';

/** Validates values against a schema. Imports Joi, so only the lazily loaded rules of a form import it. */
export const messagesOf = (schema: Joi.Schema, values: unknown): FieldMessages =>
  validate(schema, values).fields ?? {};
