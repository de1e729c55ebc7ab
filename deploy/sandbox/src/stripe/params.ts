import Joi from 'joi';
import type Stripe from 'stripe';
import { invalidRequest, type StripeError } from '../model/errors.ts';
import type { FormObject } from './form-encoding.ts';

const paramName = (path: readonly (string | number)[]): string => {
  const [first, ...rest] = path;
  return `${first}${rest.map((part) => `[${part}]`).join('')}`;
};

type Wrong = {
  param: string;
  value: string;
  limit: string;
  allowed: string;
};

type Wording = (wrong: Wrong) => { message: string; code?: string };

const invalidInteger: Wording = ({ value }) => ({
  code: 'parameter_invalid_integer',
  message: `Invalid integer: ${value}`,
});

const outOfRange =
  (than: string): Wording =>
  ({ limit, value }) => ({
    code: 'parameter_invalid_integer',
    message: `This value must be ${than} than or equal to ${limit} (it currently is '${value}').`,
  });

const wordings: Record<string, Wording> = {
  'any.required': ({ param }) => ({
    code: 'parameter_missing',
    message: `Missing required param: ${param}.`,
  }),
  'string.empty': ({ param }) => ({
    code: 'parameter_invalid_empty',
    message: `You passed an empty string for '${param}'.`,
  }),
  'number.base': invalidInteger,
  'number.integer': invalidInteger,
  'number.min': outOfRange('greater'),
  'number.max': outOfRange('less'),
  'any.only': ({ param, allowed }) => ({ message: `Invalid ${param}: must be one of ${allowed}` }),
  'boolean.base': ({ value }) => ({ message: `Invalid boolean: ${value}` }),
};

const wording = (detail: Joi.ValidationErrorItem, param: string): { message: string; code?: string } => {
  const words = wordings[detail.type];
  if (!words) return { message: `Invalid ${param}: ${detail.message}` };
  const { limit, value, valids } = (detail.context ?? {}) as Record<string, unknown>;
  const allowed = Array.isArray(valids) ? valids.join(', ') : '';
  return words({ param, value: String(value), limit: String(limit), allowed });
};

const refusal = (error: Joi.ValidationError): StripeError => {
  const unknown = error.details.filter((detail) => detail.type === 'object.unknown');
  const first = unknown[0] ?? error.details[0];
  if (!first) return invalidRequest({ message: error.message });
  const param = paramName(first.path);
  if (unknown.length > 0) {
    const names = unknown.map((detail) => paramName(detail.path)).join(', ');
    const message = `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${names}`;
    return invalidRequest({ message, code: 'parameter_unknown', param });
  }
  return invalidRequest({ ...wording(first, param), param });
};

export const readParams = <T>(schema: Joi.ObjectSchema<T>, raw: FormObject): T => {
  const result = schema.validate(raw, { abortEarly: false });
  if (result.error) throw refusal(result.error);
  return result.value;
};

export type MetadataPatch = Record<string, string> | '';

export const metadataParam = Joi.alternatives<MetadataPatch>(
  Joi.object().pattern(Joi.string().max(40), Joi.string().allow('').max(500)),
  Joi.string().valid(''),
);

/** An empty value removes its key, an empty whole removes all: https://docs.stripe.com/api/metadata */
export const mergeMetadata = (held: Stripe.Metadata, patch: MetadataPatch | undefined): Stripe.Metadata => {
  if (patch === undefined) return held;
  if (patch === '') return {};
  return Object.fromEntries(Object.entries({ ...held, ...patch }).filter(([, value]) => value !== ''));
};

export const textParam = Joi.string().max(5000);

export const addressParam = Joi.string().uri({ scheme: ['http', 'https'] });

export type CreatedFilter = number | { gt?: number; gte?: number; lt?: number; lte?: number };

const moment = Joi.number().integer();

export const createdParam = Joi.alternatives<CreatedFilter>(
  moment,
  Joi.object({ gt: moment, gte: moment, lt: moment, lte: moment }),
);

const everything = { gt: -Infinity, gte: -Infinity, lt: Infinity, lte: Infinity };

export const isWithin = (created: number, filter: CreatedFilter | undefined): boolean => {
  if (filter === undefined) return true;
  if (typeof filter === 'number') return created === filter;
  const { gt, gte, lt, lte } = { ...everything, ...filter };
  return created > gt && created >= gte && created < lt && created <= lte;
};
