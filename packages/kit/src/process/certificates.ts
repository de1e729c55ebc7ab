// Certificates end, and are replaced while a process runs. Node reads NODE_EXTRA_CA_CERTS once at its start, but the file of a mounted Secret
// changes when an authority is replaced.
import { X509Certificate } from 'node:crypto';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import { type Clock, repeat } from './clock.ts';
import { authoritiesCurrent, secretExpires } from './declared-metrics.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';

type Server = 'database' | 'redis' | 'kafka';
type Connection = { server: Server; socket: unknown };

const CONNECTIONS = 'shortlist:connections';

/** Reports an opened connection. The certificate of its server is measured until it closes. */
export const reportConnection = (connection: Connection): void => channel(CONNECTIONS).publish(connection);

const dateOf = ({ validToDate }: X509Certificate): number => inSeconds(validToDate.getTime());

/** Measures when the certificates end that the servers of the open connections have. Returns a function that ends it. */
const measureServers = (metrics: Metrics): (() => void) => {
  const open = new Map<TLSSocket, { server: Server; date: number }>();
  const add = (message: unknown): void => {
    const { server, socket } = message as Connection;
    // Read now: Node does not keep it.
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    if (!(socket instanceof TLSSocket) || certificate === undefined) return;
    open.set(socket, { server, date: dateOf(certificate) });
    socket.once('close', () => open.delete(socket));
  };
  subscribe(CONNECTIONS, add);
  metrics.gaugeBy(secretExpires, () => {
    const byServer = Map.groupBy(open.values(), ({ server }) => server);
    return Promise.resolve(
      [...byServer].map(([server, ends]) => {
        const date = Math.min(...ends.map((end) => end.date));
        return [{ secret: `certificate_of_${server}` }, date] as const;
      }),
    );
  });
  return () => unsubscribe(CONNECTIONS, add);
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

const parseAuthorities = (text: string): X509Certificate[] => {
  const certificates = (text.match(CERTIFICATE) ?? []).map((part) => new X509Certificate(part));
  if (certificates.length === 0) throw new Error('the file has no certificate');
  return certificates;
};

/** When the first of them ends, of those that have not ended yet. Some files also contain the public authorities, whose end is not ours. */
const firstEnd = (authorities: X509Certificate[], now: Date): number | null => {
  const known = getCACertificates('bundled').map((text) => new X509Certificate(text).fingerprint256);
  const ends = authorities
    .filter(({ fingerprint256, validToDate }) => !known.includes(fingerprint256) && validToDate > now)
    .map(dateOf);
  return ends.length === 0 ? null : Math.min(...ends);
};

/** What Node trusts without the file. An authority of Node's own may be in it, too. */
const listOtherAuthorities = (): string[] => {
  const [extra, bundled] = [new Set(getCACertificates('extra')), new Set(getCACertificates('bundled'))];
  return getCACertificates().filter((authority) => bundled.has(authority) || !extra.has(authority));
};

/** Sooner than Kubernetes updates the files of a Secret. */
const EVERY_MS = seconds(10);

type Parts = {
  lifecycle: Pick<Lifecycle, 'log' | 'onStop'>;
  /** The file of the private authorities; empty for none. */
  config: { NODE_EXTRA_CA_CERTS: string };
  clock: Clock;
  metrics: Metrics;
  everyMs?: number;
};

/** Trusts what the file contains now, for new connections. A file that cannot be read changes nothing. */
const followAuthorities = ({ lifecycle, config, clock, metrics, everyMs = EVERY_MS }: Parts): void => {
  const { log } = lifecycle;
  const { NODE_EXTRA_CA_CERTS: file } = config;
  const others = listOtherAuthorities();
  let current = '';
  let end: number | null = null;
  let isCurrent = true;
  const read = async (): Promise<void> => {
    const text = await readFile(file, 'utf8');
    if (text === current) return;
    const authorities = parseAuthorities(text);
    setDefaultCACertificates([...others, ...authorities.map(String)]);
    current = text;
    end = firstEnd(authorities, clock());
    log.info({ file, count: authorities.length }, 'private authorities read');
  };
  const following = repeat(async () => {
    try {
      await read();
      isCurrent = true;
    } catch (error) {
      if (isCurrent) log.warn({ err: error, file }, 'private authorities not read, the former stay trusted');
      isCurrent = false;
    }
    return everyMs;
  });
  metrics.gaugeBy(secretExpires, () =>
    Promise.resolve(end === null ? [] : [[{ secret: 'private_authority' }, end] as const]),
  );
  metrics.gauge(authoritiesCurrent, () => Promise.resolve(Number(isCurrent)));
  lifecycle.onStop('authorities', following.stop);
};

/** Follows the file of the private authorities, and measures when certificates end. Call it before connections are opened. */
export const followCertificates = (parts: Parts): void => {
  parts.lifecycle.onStop('certificates', measureServers(parts.metrics));
  if (parts.config.NODE_EXTRA_CA_CERTS !== '') followAuthorities(parts);
};
