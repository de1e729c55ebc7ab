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
 * How long clients may keep an idle connection, as announced in each response. It is far shorter than the server's own limit, and no longer
 * than a drain, so that clients no longer use a connection when the server closes it.
 */
const KEEP_ALIVE_HINT_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;

/** How long an idle connection stays open during shutdown, because its client may have just sent a request. */
const IDLE_CLOSE_MS = 200;

/** How long a client may pause while sending a body, and how long the whole body may take. */
const BODY_IDLE_MS = 20_000;
const BODY_MS = minutes(1);
const HEADERS_MS = 20_000;

type BodyLimits = { bodyIdleMs: number; bodyMs: number };

/**
 * Responds `request.timeout` if the body is incomplete after `bodyMs` or pauses for `bodyIdleMs`, and closes the connection. Node checks its
 * own request limit only twice a minute, so it could be up to 30 seconds late.
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
  // The idle timer belongs to the socket, but must not end the wait for a response or a connection without requests.
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
  /** Keeps serving for `ms`, with `Connection: close` in each response, so that clients move their connections elsewhere. */
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

/** The server's timeouts for connections and requests. */
const TIMEOUTS = {
  keepAliveTimeout: KEEP_ALIVE_HINT_MS,
  keepAliveTimeoutBuffer: KEEP_ALIVE_MS - KEEP_ALIVE_HINT_MS,
  /** How often Node checks connections against `headersTimeout`. */
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
        // net.Server's `close`, because http.Server's closes idle connections at once, along with requests about to arrive on them.
        NetServer.prototype.close.call(server, () => closed());
        closeIdleSoon();
      }),
  };
};
