import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import { createError } from '../process/errors.ts';
import { sendError } from './respond.ts';

/** How long an idle connection stays open during shutdown: its client may have sent a request already. */
const IDLE_CLOSE_MS = 200;

/** How long a request may send nothing while its body is incomplete. */
const BODY_IDLE_MS = 20_000;

/** Responds `request.timeout` to a request that sends nothing for a while before its body is complete, and ends its connection. */
const limitIdleBody = (request: IncomingMessage, response: ServerResponse, idleMs: number): void => {
  const { socket } = request;
  request.setTimeout(idleMs, () => {
    response.setHeader('connection', 'close');
    sendError(response, createError('request.timeout'));
  });
  // The timer belongs to the socket: it must not end the wait for a response, nor a connection without requests.
  const clear = (): void => void socket.setTimeout(0);
  response.once('timeout', clear);
  request.once('end', clear);
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

export type Serving = { server: Server; port: number; close: () => Promise<void> };

const announceClose = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('connection', 'close');
};

/**
 * Serves HTTP on `host` and `port` (0 for any free port) until closed. Closing accepts no new connections, lets requests in
 * flight finish with `Connection: close`, and then closes idle connections, so that no client can keep the process alive.
 */
export const serve = async (
  listener: RequestListener,
  { host, port, bodyIdleMs = BODY_IDLE_MS }: { host: string; port: number; bodyIdleMs?: number },
): Promise<Serving> => {
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000, maxHeaderSize: 16_384 },
    (request, response) => {
      inFlight.add(response);
      response.once('close', () => {
        inFlight.delete(response);
        if (closing) closeIdleSoon();
      });
      if (closing) announceClose(response);
      if (hasBody(request)) limitIdleBody(request, response, bodyIdleMs);
      listener(request, response);
    },
  );
  const closeIdleSoon = (): void => void setTimeout(() => server.closeIdleConnections(), IDLE_CLOSE_MS);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((closed) => {
        closing = true;
        // The close of net.Server: http.Server's own closes idle connections at once, together with requests under way on them.
        NetServer.prototype.close.call(server, () => closed());
        inFlight.forEach(announceClose);
        closeIdleSoon();
      }),
  };
};
