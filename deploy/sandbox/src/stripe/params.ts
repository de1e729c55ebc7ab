import Joi from 'joi';
import type Stripe from 'stripe';
import { invalidRequest, type StripeError } from '../model/errors.ts';

export type FormObject = {
  [key: string]: FormValue;
};

type FormValue = string | FormValue[] | FormObject;

const MAX_DEPTH = 10;

const parseKey = (key: string): string[] => {
  const bracket = key.indexOf('[');
  if (bracket < 1) return [key];
  const inner = [...key.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  return [key.slice(0, bracket), ...inner];
};

// Objects have no prototype, so `__proto__` is an ordinary key, which validation rejects as unknown.
const setAtPath = (node: FormObject, path: string[], value: string): void => {
  const [first = '', ...rest] = path;
  const key = first === '' ? String(Object.keys(node).length) : first;
  if (rest.length === 0) {
    node[key] = value;
    return;
  }
  const child = node[key];
  const next: FormObject =
    typeof child === 'object' && !Array.isArray(child) ? child : (Object.create(null) as FormObject);
  node[key] = next;
  setAtPath(next, rest, value);
};

const convertLists = (node: FormValue): FormValue => {
  if (typeof node === 'string' || Array.isArray(node)) return node;
  const keys = Object.keys(node);
  const isList = keys.length > 0 && keys.every((key) => /^\d{1,4}$/.test(key));
  if (isList) return keys.map((key) => convertLists(node[key] ?? ''));
  for (const key of keys) node[key] = convertLists(node[key] ?? '');
  return node;
};

/** Decodes Stripe's form encoding: `a=1`, `a[b]=1`, `a[0][c]=1`, `a[]=1`. */
export const decodeForm = (text: string): FormObject => {
  const root: FormObject = Object.create(null) as FormObject;
  for (const [key, value] of new URLSearchParams(text)) {
    const path = parseKey(key);
    if (path.length <= MAX_DEPTH) setAtPath(root, path, value);
  }
  return convertLists(root) as FormObject;
};

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
