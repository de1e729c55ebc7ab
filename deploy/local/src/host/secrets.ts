import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** A private key of P-256 with which the sandbox signs its mail events as SendGrid does. */
const eventKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64');

const GENERATORS = {
  IDENTITY_TOKEN_KEYS: () => `1:${hex(32)}`,
  PROFILE_TOKEN_KEYS: () => `1:${hex(32)}`,
  BILLING_TOKEN_KEYS: () => `1:${hex(32)}`,
  CREDITS_TOKEN_KEYS: () => `1:${hex(32)}`,
  WORKER_TOKEN_KEYS: () => `1:${hex(32)}`,
  XSRF_KEY: () => hex(32),
  FACTOR_KEY: () => hex(32),
  TRIAL_KEY: () => hex(32),
  DB_ROOT_PASSWORD: () => hex(16),
  IDENTITY_DB_PASSWORD: () => hex(16),
  PROFILE_DB_PASSWORD: () => hex(16),
  BILLING_DB_PASSWORD: () => hex(16),
  CREDITS_DB_PASSWORD: () => hex(16),
  WORKER_DB_PASSWORD: () => hex(16),
  STRIPE_SECRET_KEY: () => `sk_test_sandbox_${hex(16)}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${hex(24)}`,
  SENDGRID_API_KEY: () => `SG.sandbox.${base64(24)}`,
  SENDGRID_WEBHOOK_PRIVATE_KEY: eventKey,
  ADMIN_EMAIL: () => 'admin@shortlist.test',
  ADMIN_PASSWORD: () => base64(15),
} satisfies Record<string, () => string>;

export type SecretName = keyof typeof GENERATORS;
export type Secrets = Record<SecretName, string>;

export const SECRET_NAMES = Object.keys(GENERATORS) as SecretName[];

export const makeSecrets = (): Secrets =>
  Object.fromEntries(SECRET_NAMES.map((name) => [name, GENERATORS[name]()])) as Secrets;

/** The public key of the mail events, in the form in which SendGrid shows one. */
export const eventPublicKey = ({ SENDGRID_WEBHOOK_PRIVATE_KEY: key }: Secrets): string =>
  createPublicKey(createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }))
    .export({ format: 'der', type: 'spki' })
    .toString('base64');

const parse = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/** Reads the secrets of this clone, completed by new ones for the names that the file lacks. Writes nothing. */
export const completeSecrets = async (file: string): Promise<{ secrets: Secrets; added: SecretName[] }> => {
  const known = existsSync(file) ? parse(await readFile(file, 'utf8')) : {};
  const added = SECRET_NAMES.filter((name) => known[name] === undefined);
  return { secrets: { ...makeSecrets(), ...known }, added };
};

/** Reads the secrets of this clone. The first call generates them; a later one adds the names that the file lacks. */
export const readSecrets = async (file: string): Promise<Secrets> => {
  const { secrets, added } = await completeSecrets(file);
  if (added.length === 0) return secrets;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lines = added.map((name) => `${name}=${secrets[name]}\n`).join('');
  await writeFile(file, lines, { mode: 0o600, flag: 'a' });
  return secrets;
};

const OPTIONAL = /^(BRAND|(LINK|TERMS)_[A-Z_]+)$/;

// Single quotes keep $ and # as they are for docker compose.
const quote = (value: string): string =>
  /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", "\\'")}'`;

/** Returns the text of .env: the secrets, the public key of the mail events, and BRAND, LINK_* and TERMS_* where the environment sets them. */
export const envFile = (secrets: Secrets, env: NodeJS.ProcessEnv): string => {
  const optional = Object.entries(env).filter(([name, value]) => OPTIONAL.test(name) && value);
  const derived = { SENDGRID_WEBHOOK_PUBLIC_KEY: eventPublicKey(secrets) };
  return [...Object.entries(secrets), ...Object.entries(derived), ...optional]
    .map(([name, value = '']) => `${name}=${quote(value)}\n`)
    .join('');
};
