import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startNativeServer } from '@shortlist/local/backing/server';
import { findFreePorts } from '@shortlist/local/host/ports';
import { until } from '../src/testing/until.ts';
import type { Certificates } from '../src/testing/certificates.ts';

const run = promisify(execFile);
const PASSWORD = randomBytes(8).toString('hex');

export type SecuredRedis = { port: number; password: string; stop: () => Promise<void> };
type Files = { directory: string; certificates: Certificates };

const tlsOptions = ({ authority, certificate, key }: Certificates): string[] => [
  '--tls-cert-file',
  certificate,
  '--tls-key-file',
  key,
  '--tls-ca-cert-file',
  authority,
  '--tls-auth-clients',
  'no',
  '--port',
  '0',
];

/** The reply of redis-cli to a command. */
const cli = async ({ authority }: Certificates, port: number, ...command: string[]): Promise<string> => {
  const options = [
    '--tls',
    '--cacert',
    authority,
    '-h',
    'localhost',
    '-p',
    String(port),
    '--no-auth-warning',
  ];
  const { stdout } = await run('redis-cli', [...options, '--user', 'ana', '--pass', PASSWORD, ...command]);
  return stdout.trim();
};

type Start = Files & { name: string; options: (port: number, folder: string) => string[] };

const start = async ({ directory, certificates, name, options }: Start): Promise<SecuredRedis> => {
  const [port = 0] = await findFreePorts(1);
  const folder = join(directory, name);
  await mkdir(folder, { recursive: true });
  const server = await startNativeServer({
    name,
    command: 'redis-server',
    url: `rediss://localhost:${port}`,
    print: () => undefined,
    args: [
      ...options(port, folder),
      ...tlsOptions(certificates),
      '--tls-port',
      String(port),
      '--dir',
      folder,
    ],
    logFile: join(folder, 'log'),
    check: () =>
      cli(certificates, port, 'ping').then(
        (reply) => (reply === 'PONG' ? null : reply),
        (error: unknown) => String(error),
      ),
  });
  return { port, password: PASSWORD, stop: server.stop };
};

const ACCOUNT = ['ana', 'on', `>${PASSWORD}`, '~*', '&*', '+@all'];
const ACCOUNTS = ['--user', ...ACCOUNT, '--user', 'default', 'off'];

export const startSecuredRedis = (files: Files): Promise<SecuredRedis> =>
  start({ ...files, name: 'single', options: () => ['--save', '', ...ACCOUNTS] });

/** Starts a sentinel that watches the server, and returns the address by which a client finds the server. */
export const startSentinel = async (
  { secured, ...files }: Files & { secured: SecuredRedis },
  stops: (() => Promise<void>)[],
): Promise<string> => {
  const configuration = join(files.directory, 'sentinel.conf');
  const lines = [
    'sentinel resolve-hostnames yes',
    'sentinel announce-hostnames yes',
    'tls-replication yes',
    `sentinel monitor main localhost ${secured.port} 1`,
    'sentinel auth-user main ana',
    `sentinel auth-pass main ${PASSWORD}`,
    `user ana on >${PASSWORD} ~* &* +@all`,
    'requirepass sentinel-password',
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  const sentinel = await start({ ...files, name: 'sentinel', options: () => [configuration, '--sentinel'] });
  stops.unshift(sentinel.stop);
  const { port } = sentinel;
  return `rediss+sentinel://ana:${PASSWORD}@localhost:${port}/main?sentinel-password=sentinel-password`;
};

/** Starts Redis in cluster mode with all slots on one node, and returns its address. */
export const startRedisCluster = async (files: Files, stops: (() => Promise<void>)[]): Promise<string> => {
  const [busPort = 0] = await findFreePorts(1);
  const cluster = await start({
    ...files,
    name: 'cluster',
    options: () => [
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(busPort),
      '--tls-cluster',
      'yes',
      '--cluster-announce-hostname',
      'localhost',
      '--cluster-preferred-endpoint-type',
      'hostname',
      '--save',
      '',
      ...ACCOUNTS,
    ],
  });
  stops.unshift(cluster.stop);
  await cli(files.certificates, cluster.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  const isReady = async () =>
    (await cli(files.certificates, cluster.port, 'CLUSTER', 'INFO')).includes('state:ok');
  await until('the cluster', isReady);
  return `rediss+cluster://ana:${PASSWORD}@localhost:${cluster.port}`;
};
