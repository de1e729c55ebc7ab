import Joi from 'joi';
import type Stripe from 'stripe';
import { type StripeError, invalidRequest } from '../model/errors.ts';
import type { FormObject } from './form-encoding.ts';

const paramName = (path: readonly (string | number)[]): string => {
  const [first, ...rest] = path;
  return `${first}${rest.map((part) => `[${part}]`).join('')}`;
};

type Problem = {
  param: string;
  value: string;
  limit: string;
  allowed: string;
};

type MessageTemplate = (problem: Problem) => { message: string; code?: string };

const invalidInteger: MessageTemplate = ({ value }) => ({
  code: 'parameter_invalid_integer',
  message: `Invalid integer: ${value}`,
});

const outOfRange =
  (than: string): MessageTemplate =>
  ({ limit, value }) => ({
    code: 'parameter_invalid_integer',
    message: `This value must be ${than} than or equal to ${limit} (it currently is '${value}').`,
  });

const MESSAGE_TEMPLATES: Record<string, MessageTemplate> = {
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

const describeProblem = (
  detail: Joi.ValidationErrorItem,
  param: string,
): { message: string; code?: string } => {
  const template = MESSAGE_TEMPLATES[detail.type];
  if (!template) return { message: `Invalid ${param}: ${detail.message}` };
  const { limit, value, valids } = (detail.context ?? {}) as Record<string, unknown>;
  const allowed = Array.isArray(valids) ? valids.join(', ') : '';
  return template({ param, value: String(value), limit: String(limit), allowed });
};

const validationError = (error: Joi.ValidationError): StripeError => {
  const unknown = error.details.filter((detail) => detail.type === 'object.unknown');
  const first = unknown[0] ?? error.details[0];
  if (!first) return invalidRequest({ message: error.message });
  const param = paramName(first.path);
  if (unknown.length > 0) {
    const names = unknown.map((detail) => paramName(detail.path)).join(', ');
    const message = `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${names}`;
    return invalidRequest({ message, code: 'parameter_unknown', param });
  }
  return invalidRequest({ ...describeProblem(first, param), param });
};

export const parseParams = <T>(schema: Joi.ObjectSchema<T>, raw: FormObject): T => {
  const result = schema.validate(raw, { abortEarly: false });
  if (result.error) throw validationError(result.error);
  return result.value;
};

export type MetadataPatch = Record<string, string> | '';

export const metadataParam = Joi.alternatives<MetadataPatch>(
  Joi.object().pattern(Joi.string().max(40), Joi.string().allow('').max(500)),
  Joi.string().valid(''),
);

/** An empty value removes its key; empty metadata removes all keys: https://docs.stripe.com/api/metadata */
export const mergeMetadata = (
  current: Stripe.Metadata,
  patch: MetadataPatch | undefined,
): Stripe.Metadata => {
  if (patch === undefined) return current;
  if (patch === '') return {};
  return Object.fromEntries(Object.entries({ ...current, ...patch }).filter(([, value]) => value !== ''));
};

export const textParam = Joi.string().max(5000);

export const urlParam = Joi.string().uri({ scheme: ['http', 'https'] });

export type TimeFilter = number | { gt?: number; gte?: number; lt?: number; lte?: number };

const unixTime = Joi.number().integer();

export const timeFilterParam = Joi.alternatives<TimeFilter>(
  unixTime,
  Joi.object({ gt: unixTime, gte: unixTime, lt: unixTime, lte: unixTime }),
);

const UNBOUNDED = { gt: -Infinity, gte: -Infinity, lt: Infinity, lte: Infinity };

export const matchesTime = (created: number, filter: TimeFilter | undefined): boolean => {
  if (filter === undefined) return true;
  if (typeof filter === 'number') return created === filter;
  const { gt, gte, lt, lte } = { ...UNBOUNDED, ...filter };
  return created > gt && created >= gte && created < lt && created <= lte;
};
