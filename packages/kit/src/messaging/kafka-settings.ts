import Joi from 'joi';
import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { type ConfigOf, type Environment, loadConfig, variable } from '../process/config.ts';

type OAuthClient = { url: string; clientId: string; clientSecret: string; scope: string };
type TokenReply = { access_token: string; expires_in?: number };

const TIMEOUT_MS = 5_000;
/** The share of a token's lifetime after which a new one is requested. */
const RENEW_AFTER = 0.8;

const isReply = (body: unknown): body is TokenReply =>
  typeof body === 'object' &&
  body !== null &&
  'access_token' in body &&
  typeof body.access_token === 'string';

const requestToken = async ({ url, clientId, clientSecret, scope }: OAuthClient): Promise<TokenReply> => {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || !isReply(body))
    throw new Error(`the token endpoint replied with status ${response.status} and no token`);
  return body;
};

/**
 * Returns a function that gets an access token by the client credentials grant (RFC 6749, section 4.4) and reuses it for most of its lifetime.
 * Its errors contain neither token nor secret.
 */
const createTokenSource = (client: OAuthClient): (() => Promise<{ value: string }>) => {
  let current: { value: string; renewAt: number } | null = null;
  return async () => {
    if (current !== null && performance.now() < current.renewAt) return { value: current.value };
    const { access_token: value, expires_in: seconds = 0 } = await requestToken(client);
    current = { value, renewAt: performance.now() + seconds * 1_000 * RENEW_AFTER };
    return { value };
  };
};

const requiredWith = (is: Joi.Schema, then: Joi.Schema) =>
  Joi.string()
    .default('')
    .when('KAFKA_SASL_MECHANISM', { is, then, otherwise: Joi.valid('') });
const required = Joi.string().invalid('').required();

/** How a process reaches the brokers, and the topics that it creates. */
export const kafkaVariables = {
  KAFKA_BROKERS: variable.list,
  KAFKA_TLS: Joi.boolean().empty('').default(false),
  KAFKA_SASL_MECHANISM: variable.optional(
    variable.oneOf('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer').empty(''),
  ),
  // With OAuth, the client's id and secret.
  KAFKA_USERNAME: requiredWith(Joi.exist(), required),
  KAFKA_PASSWORD: requiredWith(Joi.exist(), required),
  KAFKA_OAUTH_TOKEN_URL: requiredWith(
    Joi.valid('oauthbearer').required(),
    required.uri({ scheme: ['http', 'https'] }),
  ),
  KAFKA_OAUTH_SCOPE: requiredWith(Joi.valid('oauthbearer').required(), Joi.string().allow('')),
  KAFKA_PARTITIONS: Joi.number().integer().min(1).max(1_000).empty('').default(6),
  // -1: the broker's default.
  KAFKA_REPLICATION_FACTOR: Joi.number().integer().min(1).max(10).allow(-1).empty('').default(-1),
};

export type KafkaSettings = ConfigOf<typeof kafkaVariables>;

/** Reads only these settings, for a program that is not a service. */
export const readKafkaSettings = (env: Environment): KafkaSettings => loadConfig(kafkaVariables, env);

const saslOf = (settings: KafkaSettings): { sasl?: SASLOptions } => {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
  if (mechanism === undefined) return {};
  if (mechanism !== 'oauthbearer') return { sasl: { mechanism, username, password } };
  const { KAFKA_OAUTH_TOKEN_URL: url, KAFKA_OAUTH_SCOPE: scope } = settings;
  const oauthBearerProvider = createTokenSource({ url, scope, clientId: username, clientSecret: password });
  return { sasl: { mechanism, oauthBearerProvider } };
};

/** Certificates are verified with the system's authorities and those of NODE_EXTRA_CA_CERTS. */
export const connectionOf = (settings: KafkaSettings): Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'> => ({
  brokers: settings.KAFKA_BROKERS,
  ...(settings.KAFKA_TLS ? { ssl: true } : {}),
  ...saslOf(settings),
});
