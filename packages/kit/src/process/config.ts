import Joi from 'joi';
import manifest from '../../package.json' with { type: 'json' };

export type Environment = Readonly<Record<string, string | undefined>>;
/** The version of this package and of all others of the product, which are released together. */
export const PACKAGE_VERSION = manifest.version;

/** The variables of a process, each with the schema of its value. */
export type Variables = Readonly<Record<string, Joi.AnySchema>>;
/** The values of variables, with the types that their schemas declare. */
export type ConfigOf<Declared extends Variables> = {
  [Name in keyof Declared]: Declared[Name] extends Joi.AnySchema<infer Value> ? Value : never;
};

/** The environment is incomplete or invalid. The message names every variable at once, and never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const GUESSABLE = /^(change.?me|secret|password|default|test|dev|admin|example)/i;

const ROLES = ['http', 'consumers', 'relay'];

const unguessable = (min: number) => Joi.string().min(min).pattern(GUESSABLE, { invert: true }).required();
const secret = unguessable(16);

/** Texts separated by commas, which `parse` converts to the value. */
const listOf = <Value>(parse: (parts: string[]) => Value): Joi.StringSchema<Value> =>
  Joi.string<Value>()
    .required()
    .custom((value: string) => {
      const parts = value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean);
      if (parts.length === 0) throw new Error('a list has at least one entry');
      return parse(parts);
    });

/** A text that `parse` validates. */
const parsedBy = (parse: (text: string) => unknown) =>
  Joi.string()
    .required()
    .custom((text: string) => {
      parse(text);
      return text;
    });

const TOKEN_KEY = /^([a-z0-9-]{1,20}):(.+)$/;

/** Token keys for one service, as `id:secret`, separated by commas: the first signs, all verify. */
const tokenKeys = listOf((parts) => {
  const keys = parts.map((part) => {
    const [, id = '', value = ''] = TOKEN_KEY.exec(part) ?? [];
    Joi.assert(value, secret);
    return { id, secret: value };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('an id occurs twice');
  return keys;
});

/** Schemas for variables that several processes read. A secret has no default and must not look like a placeholder. */
export const variable = {
  url: (...schemes: string[]) => Joi.string().uri({ scheme: schemes }).required(),
  parsedBy,
  list: listOf((parts) => parts),
  /** One of these texts. */
  oneOf: <const Value extends string>(...values: Value[]) => Joi.string<Value>().valid(...values),
  /** A variable without a default that may be missing. */
  optional: <Value>(schema: Joi.AnySchema<Value>) => schema.optional() as Joi.AnySchema<Value | undefined>,
  secret,
  /** Several accepted secrets, each of which must be strong. */
  secrets: listOf((parts) => {
    for (const part of parts) Joi.assert(part, secret);
    return parts;
  }),
  tokenKeys,
  /** A typed password, which may be shorter than a secret. */
  password: unguessable(12),
  roles: Joi.string<string[]>()
    .default(ROLES)
    .custom((value: string) => value.split(','))
    .custom((roles: string[]) => {
      const unknown = roles.filter((role) => !ROLES.includes(role));
      if (unknown.length > 0) throw new Error('roles are http, consumers and relay');
      return roles;
    }),
};

/** The variables of every process that serves HTTP. */
export const serverVariables = {
  HOST: Joi.string().hostname().default('0.0.0.0'),
  PORT: Joi.number().port().required(),
  // The port of the operator endpoints. Processes on one machine need different ones.
  OPS_PORT: Joi.number().port().default(9090),
  // How long a stopping process still accepts requests, as needed behind a load balancer.
  DRAIN_SECONDS: Joi.number().integer().min(0).max(10).default(0),
  // The version of the running code, which images set.
  VERSION: Joi.string()
    .max(100)
    .pattern(/^[\x21-\x7e]+$/)
    .empty('')
    .default(PACKAGE_VERSION),
  // The file of a private authority, which Node reads at its start and `followCertificates` again when it changes.
  NODE_EXTRA_CA_CERTS: Joi.string().allow('').default(''),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
};

/** Reads the configuration of a process. Throws a `ConfigError` that names every missing and invalid variable. */
export const loadConfig = <Declared extends Variables>(
  variables: Declared,
  env: Environment,
): ConfigOf<Declared> => {
  const result = Joi.object<ConfigOf<Declared>>(variables).validate(env, {
    abortEarly: false,
    stripUnknown: true,
    convert: true,
  });
  if (result.error === undefined) return result.value;
  const { details } = result.error;
  const missing = details.filter(({ type }) => type === 'any.required').map(({ path }) => path.join('.'));
  const invalid = details.filter(({ type }) => type !== 'any.required').map(({ path }) => path.join('.'));
  const parts = [
    missing.length > 0 ? `missing ${missing.join(', ')}` : '',
    invalid.length > 0 ? `invalid ${[...new Set(invalid)].join(', ')}` : '',
  ];
  throw new ConfigError(
    `cannot start: ${parts.filter(Boolean).join('; ')} (each is described in .env.example)`,
  );
};
