import Joi from 'joi';
import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { type Environment, loadConfig, variable } from '../process/config.ts';
import { createTokenSource } from './kafka-oauth.ts';

/** How a process reaches the brokers, and the topics that it creates. */
export type KafkaSettings = {
  KAFKA_BROKERS: string[];
  KAFKA_TLS: boolean;
  KAFKA_SASL_MECHANISM?: 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer';
  KAFKA_USERNAME: string;
  KAFKA_PASSWORD: string;
  KAFKA_OAUTH_TOKEN_URL: string;
  KAFKA_OAUTH_SCOPE: string;
  KAFKA_PARTITIONS: number;
  KAFKA_REPLICATION_FACTOR: number;
};

const requiredWith = (is: Joi.Schema, then: Joi.Schema) =>
  Joi.string()
    .default('')
    .when('KAFKA_SASL_MECHANISM', { is, then, otherwise: Joi.valid('') });
const required = Joi.string().invalid('').required();

export const kafkaVariables = {
  KAFKA_BROKERS: variable.list,
  KAFKA_TLS: Joi.boolean().empty('').default(false),
  KAFKA_SASL_MECHANISM: Joi.string()
    .valid('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer')
    .empty(''),
  // Of an OAuth client, its id and secret.
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

/** Reads the settings alone, for a program that uses nothing else of a process. */
export const readKafkaSettings = (env: Environment): KafkaSettings =>
  loadConfig<KafkaSettings>(kafkaVariables, env);

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
