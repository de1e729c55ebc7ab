import type { SslOptions } from 'mysql2';
import Joi from 'joi';
import { variable } from '../process/config.ts';

export type DatabaseAddress = {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  ssl?: SslOptions;
};

/** The `ssl-mode` values of MySQL's own clients, except PREFERRED, which an attacker can downgrade. */
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
  return ssl === undefined ? {} : { ssl };
};

/**
 * Parses `mysql://user:password@host:port/database?ssl-mode=VERIFY_IDENTITY`. Throws for an unknown option. Certificates
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

type RedisKind = 'single' | 'sentinel' | 'cluster';
export type RedisAddress = {
  kind: RedisKind;
  hosts: { host: string; port: number }[];
  isTls: boolean;
  username?: string;
  password?: string;
  /** The number of the database; a cluster has only 0. */
  database: number;
  /** The name under which sentinels know the group of servers. */
  group?: string;
  sentinelPassword?: string;
};

const URL_PARTS =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;
const HOST = /^(?<host>\[[0-9a-f:.]+\]|[^:]+)(?::(?<port>\d{1,5}))?$/i;

const parseHost = (text: string, defaultPort: number): { host: string; port: number } => {
  const { host = '', port } = HOST.exec(text)?.groups ?? {};
  if (host === '') throw new Error('a host is missing');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port ?? defaultPort) };
};

const parseHosts = (text: string, kind: RedisKind): RedisAddress['hosts'] => {
  const hosts = text.split(',').map((host) => parseHost(host, kind === 'sentinel' ? 26_379 : 6_379));
  if (kind === 'single' && hosts.length > 1) throw new Error('several hosts need +sentinel or +cluster');
  return hosts;
};

const optional = <Name extends string>(name: Name, value: string | null | undefined) =>
  (value ? { [name]: decodeURIComponent(value) } : {}) as Partial<Record<Name, string>>;

/** The path is the database number, or with sentinels the name of the group. */
const pathOf = (kind: RedisKind, path: string): Pick<RedisAddress, 'database' | 'group'> => {
  if (kind === 'sentinel') {
    if (path === '') throw new Error('the name of the group is missing');
    return { database: 0, group: decodeURIComponent(path) };
  }
  const database = Number(path || 0);
  if (!Number.isInteger(database) || database < 0 || (kind === 'cluster' && database > 0))
    throw new Error('not a number of a database');
  return { database };
};

const sentinelOptions = (kind: RedisKind, query: string): Pick<RedisAddress, 'sentinelPassword'> => {
  const options = new URLSearchParams(query);
  for (const name of options.keys())
    if (kind !== 'sentinel' || name !== 'sentinel-password') throw new Error(`unknown option ${name}`);
  return optional('sentinelPassword', options.get('sentinel-password'));
};

/**
 * Parses `redis://user:password@host:port/0`, `redis+sentinel://user:password@host:port,host:port/group?sentinel-password=…` and
 * `redis+cluster://user:password@host:port,host:port`; each with `rediss` for TLS. Throws for an unknown option.
 */
export const parseRedisUrl = (text: string): RedisAddress => {
  const groups = URL_PARTS.exec(text)?.groups;
  if (groups === undefined) throw new Error('not an address of Redis');
  const { tls, username, password, hosts = '', path = '', query = '' } = groups;
  const kind = (groups['kind'] ?? 'single') as RedisKind;
  return {
    kind,
    hosts: parseHosts(hosts, kind),
    isTls: tls === 's',
    ...optional('username', username),
    ...optional('password', password),
    ...pathOf(kind, path),
    ...sentinelOptions(kind, query),
  };
};

/** Schemas for the variables of databases and Redis. */
export const databaseUrl = variable.parsedBy(parseDatabaseUrl);
/** The most connections that a process opens to its database. */
export const databasePool = Joi.number().integer().min(2).max(200).empty('').default(10);
export const redisUrl = variable.parsedBy(parseRedisUrl);
