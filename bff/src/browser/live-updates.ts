import type { IncomingMessage, ServerResponse } from 'node:http';
import { endMeasurement } from '@shortlist/kit/http/observe';
import { createError } from '@shortlist/kit/process/errors';
import type { Sessions } from '../session/sessions.ts';
import type { Bindings, Session } from '../session/session.ts';

/** The parts of a user's screens that may be stale. */
export type Area = 'profile' | 'privacy' | 'subscription' | 'credits' | 'directory';

type OpenPage = { session: Session; token: string; bindings: Bindings; response: ServerResponse };
type Stream = OpenPage & { request: IncomingMessage };

export type LiveUpdates = {
  /** Opens a server-sent event stream for the page of this session. */
  open: (stream: Stream) => void;
  /** Notifies the user's open pages, and every admin's, which areas to read again. The data itself is never sent. */
  notify: (userId: string, areas: readonly Area[]) => void;
  countPages: () => number;
  close: () => void;
};

/** Also the delay after which the stream of an ended session is closed. */
const HEARTBEAT_MS = 20_000;
const MAX_PAGES = 10_000;
/**
 * Streams of one user at one process. A further one is refused, and its page tries again with growing pauses. Ending the oldest
 * instead would make 21 pages end each other's streams forever, since a page opens an ended stream again.
 */
const MAX_PAGES_OF_USER = 20;
const RETRY_SECONDS = 30;

export const createLiveUpdates = (sessions: Sessions): LiveUpdates => {
  const pages = new Set<OpenPage>();

  const sendHeartbeat = async (page: OpenPage): Promise<void> => {
    const session = await sessions.check(page.token, page.bindings).catch(() => page.session); // without Redis, streams stay open
    if (session === null) page.response.end();
    else page.response.write(': heartbeat\n\n');
  };
  const heartbeats = setInterval(() => pages.forEach((page) => void sendHeartbeat(page)), HEARTBEAT_MS);
  heartbeats.unref();

  const assertBelowLimits = (userId: string): void => {
    if (pages.size >= MAX_PAGES)
      throw createError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    let count = 0; // without a copy of all pages: after a restart every page opens a stream at the same time
    for (const { session } of pages) if (session.userId === userId) count += 1;
    if (count >= MAX_PAGES_OF_USER)
      throw createError('request.rate_limited', { retryAfterSeconds: RETRY_SECONDS });
  };

  return {
    open: ({ response, session, token, bindings }) => {
      assertBelowLimits(session.userId);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write('retry: 3000\n\n');
      endMeasurement(response);
      const page = { session, token, bindings, response };
      pages.add(page);
      response.on('close', () => pages.delete(page));
    },
    notify: (userId, areas) => {
      for (const { session, response } of pages) {
        const isAdmin = session.role === 'admin';
        if (!isAdmin && session.userId !== userId) continue;
        response.write(`data: ${JSON.stringify({ stale: isAdmin ? ['directory'] : areas })}\n\n`);
      }
    },
    countPages: () => pages.size,
    close: () => {
      clearInterval(heartbeats);
      for (const { response } of pages) response.end();
    },
  };
};
