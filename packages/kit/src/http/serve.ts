import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import { createError } from '../process/errors.ts';
import { sendError } from './respond.ts';

/**
 * The time for which clients may keep an idle connection, by the header of each response. It is far less than the server waits itself,
 * and no more than a drain: by the time the server closes an idle connection, its client no longer uses it.
 */
const KEEP_ALIVE_HINT_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;

/** How long an idle connection stays open during shutdown: its client may have sent a request already. */
const IDLE_CLOSE_MS = 200;

/** How long a request may send nothing while its body is incomplete, and how long the whole body may take. */
const BODY_IDLE_MS = 20_000;
const BODY_MS = minutes(1);
const HEADERS_MS = 20_000;

type BodyLimits = { bodyIdleMs: number; bodyMs: number };

/**
 * Responds `request.timeout` to a request whose body is incomplete after `bodyMs`, or sends nothing for `bodyIdleMs`, and ends its
 * connection. Node's own limit of a request is checked twice a minute and would end it up to 30 seconds later.
 */
const limitBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { bodyIdleMs, bodyMs }: BodyLimits,
): void => {
  const { socket } = request;
  const end = (): void => {
    if (response.headersSent) return void request.destroy();
    response.setHeader('connection', 'close');
    sendError(response, createError('request.timeout'));
  };
  const timer = setTimeout(end, bodyMs).unref();
  request.setTimeout(bodyIdleMs, end);
  // The timer of silence belongs to the socket: it must not end the wait for a response, nor a connection without requests.
  const clearIdle = (): void => void socket.setTimeout(0);
  response.once('timeout', clearIdle);
  request.once('end', clearIdle);
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

export type Serving = {
  server: Server;
  port: number;
  /** Serves for `ms` more, with `Connection: close` in each response, so that clients move their connections elsewhere. */
  drain: (ms: number) => Promise<void>;
  /**
   * Accepts no new connections, lets requests in flight finish with `Connection: close`, and then closes idle connections, so that
   * no client can keep the process alive.
   */
  close: () => Promise<void>;
};

const announceClose = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('connection', 'close');
};

/** The times after which the server gives up a connection or a request. */
const TIMEOUTS = {
  keepAliveTimeout: KEEP_ALIVE_HINT_MS,
  keepAliveTimeoutBuffer: KEEP_ALIVE_MS - KEEP_ALIVE_HINT_MS,
  /** How often Node compares connections with `headersTimeout`. */
  connectionsCheckingInterval: 1_000,
  requestTimeout: 0, // limitBody is exact
};

type Address = { host: string; port: number };
type Times = Partial<BodyLimits> & { headersMs?: number; idleCloseMs?: number | undefined };

/** Serves HTTP on `host` and `port` (0 for any free port) until closed. */
export const serve = async (
  listener: RequestListener,
  { host, port, idleCloseMs = IDLE_CLOSE_MS, headersMs = HEADERS_MS, ...times }: Address & Times,
): Promise<Serving> => {
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  let closing = false;
  const bodyLimits = { bodyIdleMs: BODY_IDLE_MS, bodyMs: BODY_MS, ...times };
  const options = { ...TIMEOUTS, headersTimeout: headersMs, maxHeaderSize: 16_384 };
  const server = createServer(options, (request, response) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      if (closing) closeIdleSoon();
    });
    if (draining) announceClose(response);
    if (hasBody(request)) limitBody(request, response, bodyLimits);
    listener(request, response);
  });
  const closeIdleSoon = (): void => void setTimeout(() => server.closeIdleConnections(), idleCloseMs);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  const startDraining = (): void => {
    draining = true;
    inFlight.forEach(announceClose);
  };
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    drain: async (ms) => {
      startDraining();
      await sleep(ms);
    },
    close: () =>
      new Promise((closed) => {
        closing = true;
        startDraining();
        // The close of net.Server: http.Server's own closes idle connections at once, together with requests under way on them.
        NetServer.prototype.close.call(server, () => closed());
        closeIdleSoon();
      }),
  };
};
