import type { Secrets } from './secrets.ts';

const OPTIONAL = /^(BRAND|(LINK|TERMS)_[A-Z_]+)$/;

// Single quotes keep $ and # as they are for docker compose.
const quote = (value: string): string =>
  /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", "\\'")}'`;

/** Returns the text of .env: the secrets, and BRAND, LINK_* and TERMS_* where the environment sets them. */
export const envFile = (secrets: Secrets, env: NodeJS.ProcessEnv): string => {
  const optional = Object.entries(env).filter(([name, value]) => OPTIONAL.test(name) && value);
  return [...Object.entries(secrets), ...optional]
    .map(([name, value = '']) => `${name}=${quote(value)}\n`)
    .join('');
};
