import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64url');

const GENERATORS = {
  IDENTITY_TOKEN_KEYS: () => `1:${hex(32)}`,
  PROFILE_TOKEN_KEYS: () => `1:${hex(32)}`,
  BILLING_TOKEN_KEYS: () => `1:${hex(32)}`,
  CREDITS_TOKEN_KEYS: () => `1:${hex(32)}`,
  XSRF_KEY: () => hex(32),
  FACTOR_KEY: () => hex(32),
  DB_ROOT_PASSWORD: () => hex(16),
  IDENTITY_DB_PASSWORD: () => hex(16),
  PROFILE_DB_PASSWORD: () => hex(16),
  BILLING_DB_PASSWORD: () => hex(16),
  CREDITS_DB_PASSWORD: () => hex(16),
  WORKER_DB_PASSWORD: () => hex(16),
  STRIPE_SECRET_KEY: () => `sk_test_sandbox_${hex(16)}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${hex(24)}`,
  SENDGRID_API_KEY: () => `SG.sandbox.${base64(24)}`,
  ADMIN_EMAIL: () => 'admin@shortlist.test',
  ADMIN_PASSWORD: () => base64(15),
} satisfies Record<string, () => string>;

export type SecretName = keyof typeof GENERATORS;
export type Secrets = Record<SecretName, string>;

export const SECRET_NAMES = Object.keys(GENERATORS) as SecretName[];

export const makeSecrets = (): Secrets =>
  Object.fromEntries(SECRET_NAMES.map((name) => [name, GENERATORS[name]()])) as Secrets;

const parse = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^([A-Z_]+)=(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name = '', value = '']) => [name, value]),
  );

const readIfPresent = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

/** Reads the secrets of this clone. The first call generates them; a later one adds the names that the file lacks. */
export const readSecrets = async (file: string): Promise<Secrets> => {
  const known = parse(await readIfPresent(file));
  const secrets = { ...makeSecrets(), ...known };
  const added = SECRET_NAMES.filter((name) => known[name] === undefined);
  if (added.length === 0) return secrets;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lines = added.map((name) => `${name}=${secrets[name]}\n`).join('');
  await writeFile(file, lines, { mode: 0o600, flag: 'a' });
  return secrets;
};
