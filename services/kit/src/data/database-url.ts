import type { SslOptions } from 'mysql2';

export type DatabaseAddress = {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  ssl?: SslOptions;
};

/** The values of `ssl-mode` are those of MySQL's own clients, without PREFERRED, which an attacker can downgrade. */
const SSL_MODES: Readonly<Record<string, SslOptions | undefined>> = {
  DISABLED: undefined,
  REQUIRED: { rejectUnauthorized: false },
  VERIFY_CA: { rejectUnauthorized: true, verifyIdentity: false },
  VERIFY_IDENTITY: { rejectUnauthorized: true, verifyIdentity: true },
};

const sslOf = (query: URLSearchParams): { ssl?: SslOptions } => {
  for (const name of query.keys()) if (name !== 'ssl-mode') throw new Error(`unknown option ${name}`);
  const mode = query.get('ssl-mode') ?? 'DISABLED';
  if (!Object.hasOwn(SSL_MODES, mode)) throw new Error('unknown ssl-mode');
  const ssl = SSL_MODES[mode];
  return ssl === undefined ? {} : { ssl: { ...ssl } }; // mysql2 keeps the authorities per object
};

/**
 * Parses `mysql://user:password@host:port/database?ssl-mode=VERIFY_IDENTITY`. Throws for an option that it does not know. Certificates
 * are verified with the system's authorities and those of NODE_EXTRA_CA_CERTS.
 */
export const parseDatabaseUrl = (text: string): DatabaseAddress => {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  if (protocol !== 'mysql:' || hostname === '') throw new Error('not an address of a database');
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 3306),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...sslOf(searchParams),
  };
};
