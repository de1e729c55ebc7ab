import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Area, type LiveUpdate, publicPaths } from '@shortlist/contracts/api/public';
import { forSessions } from '@shortlist/contracts/api/operation';
import { endMeasurement } from '@shortlist/kit/http/observe';
import { parseInput } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Route } from '../http/endpoint.ts';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { type Bindings, type Session, tagOfToken } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

type Stream = {
  session: Session;
  token: string;
  bindings: Bindings;
  request: IncomingMessage;
  response: ServerResponse;
};
type OpenPage = Omit<Stream, 'request'> & { expiry?: NodeJS.Timeout };

export type LiveUpdates = {
  /** Opens a server-sent event stream for the page of this session. */
  open: (stream: Stream) => void;
  /**
   * Notifies the user's open pages at once, and those of admins with the changes of others, of the areas to read again. The data itself is
   * never sent.
   */
  notify: (userId: string, areas: readonly Area[]) => void;
  /** Notifies the open pages of all users, spread over half a minute, because each of them reads something then. */
  notifyUsers: (areas: readonly Area[]) => void;
  countPages: () => number;
  close: () => void;
};

/** Admins are notified of changes together: soon after the first one, with all that one action causes, and then at this interval. */
const GATHER_MS = 200;
const ADMIN_INTERVAL_MS = 5_000;
/** More users than any page shows: beyond that, a message says that any user's data may have changed. */
const NAMED_MAX = 200;

/** Also the delay after which the stream of an ended session is closed when the message of its end is lost. */
const HEARTBEAT_MS = 20_000;
const MAX_PAGES = 10_000;
/** Over which all pages are notified of one change. */
const SPREAD_MS = 30_000;
/** A few pages are notified at once. */
const SPREAD_STEP_MS = 50;
/**
 * Streams of one user at one process. A further one is refused, and its page tries again with growing pauses. Ending the oldest
 * instead would make 21 pages end each other's streams forever, since a page opens an ended stream again.
 */
const MAX_PAGES_OF_USER = 20;
const RETRY_SECONDS = 30;

/** Sessions have their time left in whole seconds. */
const EXPIRY_MS = 250;

/** The users with whose sessions the page's own ends: an admin who views the product as a user is another one. */
const tagsOf = ({ token, session: { viewerId } }: OpenPage): string[] => [
  tagOfToken(token),
  ...(viewerId === null ? [] : [tagOfUser(viewerId)]),
];

/** Returns a check of whether the session of a page goes on. It ends the stream of one that has ended. */
const createCheck = (sessions: Sessions, pages: ReadonlySet<OpenPage>) => {
  const isAlive = async (page: OpenPage): Promise<boolean> => {
    const session = await sessions.check(page.token, page.bindings).catch(() => page.session); // without Redis, streams stay open
    if (session === null) page.response.end();
    else checkWhenExpired(page, session);
    return session !== null;
  };
  // Redis announces no session that expires.
  const checkWhenExpired = (page: OpenPage, { remainingSeconds }: Session): void => {
    clearTimeout(page.expiry);
    if (!pages.has(page)) return;
    page.expiry = setTimeout(() => void isAlive(page), remainingSeconds * 1_000 + EXPIRY_MS).unref();
  };
  return isAlive;
};

const write = (page: OpenPage, message: string): void => void page.response.write(message);

const toMessage = (update: LiveUpdate): string => `data: ${JSON.stringify(update)}\n\n`;

/** Collects whose data changed, and notifies the pages of admins at intervals. */
const createAdminUpdates = (pages: ReadonlySet<OpenPage>) => {
  let changed = new Map<Area, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -Infinity;

  const send = (): void => {
    timer = undefined;
    sentAt = performance.now();
    const users = Array.from(
      changed,
      ([area, ids]) => [area, ids.size > NAMED_MAX ? null : [...ids]] as const,
    );
    const message = toMessage({ changed: Object.fromEntries(users) });
    changed = new Map();
    for (const page of pages) if (page.session.role === 'admin') write(page, message);
  };
  return {
    add: (userId: string, areas: readonly Area[]): void => {
      for (const area of areas) {
        const ids = changed.get(area) ?? new Set();
        if (ids.size <= NAMED_MAX) changed.set(area, ids.add(userId));
      }
      const delay = Math.max(GATHER_MS, sentAt + ADMIN_INTERVAL_MS - performance.now());
      timer ??= setTimeout(send, delay).unref();
    },
    close: () => clearTimeout(timer),
  };
};

export const createLiveUpdates = (sessions: Sessions): LiveUpdates => {
  const pages = new Set<OpenPage>();
  const pagesOf = new Map<string, Set<OpenPage>>();
  const adminUpdates = createAdminUpdates(pages);
  const isAlive = createCheck(sessions, pages);
  const sendHeartbeat = async (page: OpenPage): Promise<void> => {
    if (await isAlive(page)) page.response.write(': heartbeat\n\n');
  };
  const heartbeats = setInterval(() => pages.forEach((page) => void sendHeartbeat(page)), HEARTBEAT_MS);
  heartbeats.unref();
  const stopWatching = sessions.watchEnds((tag) => {
    for (const page of pages) if (tagsOf(page).includes(tag)) void isAlive(page);
  });

  const add = (page: OpenPage): void => {
    pages.add(page);
    const { userId } = page.session;
    pagesOf.set(userId, (pagesOf.get(userId) ?? new Set()).add(page));
  };
  const remove = (page: OpenPage): void => {
    clearTimeout(page.expiry);
    pages.delete(page);
    const { userId } = page.session;
    const remaining = pagesOf.get(userId);
    remaining?.delete(page);
    if (remaining?.size === 0) pagesOf.delete(userId);
  };
  const assertBelowLimits = (userId: string): void => {
    if (pages.size >= MAX_PAGES)
      throw createError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    if ((pagesOf.get(userId)?.size ?? 0) >= MAX_PAGES_OF_USER)
      throw createError('request.rate_limited', { retryAfterSeconds: RETRY_SECONDS });
  };

  return {
    open: ({ response, session, token, bindings }) => {
      assertBelowLimits(session.userId);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      response.write('retry: 3000\n\n');
      endMeasurement(response);
      const page: OpenPage = { session, token, bindings, response };
      add(page);
      response.on('close', () => remove(page));
      void isAlive(page); // the session may have ended since its request was checked, before its end concerned a page
    },
    notify: (userId, areas) => {
      if (pages.size === 0) return;
      adminUpdates.add(userId, areas);
      const ownPages = pagesOf.get(userId);
      if (ownPages === undefined) return; // as for most of the users whose data changes
      const message = toMessage({ stale: areas });
      for (const page of ownPages) if (page.session.role === 'user') write(page, message);
    },
    notifyUsers: (areas) => {
      const message = toMessage({ stale: areas });
      const users = [...pages].filter(({ session }) => session.role === 'user');
      users.forEach((page, index) => {
        const delay = Math.min(index * SPREAD_STEP_MS, (index / users.length) * SPREAD_MS);
        setTimeout(() => pages.has(page) && write(page, message), delay).unref();
      });
    },
    countPages: () => pages.size,
    close: () => {
      clearInterval(heartbeats);
      adminUpdates.close();
      stopWatching();
      for (const { response } of pages) response.end();
    },
  };
};

const LIVE = forSessions(`GET ${publicPaths.live}`, {
  reply: 'text',
  beforeSecondFactor: true, // it says which data to read again, and none of the data
  whileViewing: true,
  body: 'stream',
  bodyBytes: 0,
});

export const liveEndpoint = (liveUpdates: LiveUpdates): Route => ({
  ...LIVE,
  respond: ({ request, response, session, token, bindings }) => {
    parseInput(LIVE.schema, request.query);
    if (session === null || token === null) throw createError('session.missing');
    if (request.method === 'HEAD')
      response.end(); // a stream without a body would stay open and say nothing
    else liveUpdates.open({ request, response, session, token, bindings });
    return Promise.resolve();
  },
});
