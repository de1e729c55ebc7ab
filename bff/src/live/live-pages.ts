import type { ServerResponse } from 'node:http';
import type { Handler } from '../front/front.ts';
import { API_HEADERS } from '../front/reply.ts';
import { tokenOf } from '../session/identify.ts';
import type { Session, Sessions } from '../session/sessions.ts';
import { createError } from '@shortlist/kit/process/errors';

/** The parts of a person's screens that may be out of date. */
export type Area = 'profile' | 'subscription' | 'credits' | 'directory';

type Page = { session: Session; token: string; response: ServerResponse };

export type LiveUpdates = {
  open: Handler;
  /** Tells a person's open pages, and every admin's, what to read again. Never the data itself. */
  tell: (userId: string, areas: readonly Area[]) => void;
  close: () => void;
};

/** Also how soon a page whose session has ended is let go. */
const BEAT_MS = 20_000;
const MAX_PAGES = 10_000;

const send = ({ response }: Page, areas: readonly Area[]): void =>
  void response.write(`data: ${JSON.stringify({ stale: areas })}\n\n`);

const isFor = ({ session }: Page, userId: string): boolean =>
  session.role === 'admin' || session.userId === userId;

export const createLiveUpdates = (sessions: Sessions): LiveUpdates => {
  const pages = new Set<Page>();

  const beat = async (page: Page): Promise<void> => {
    const session = await sessions.check(page.token).catch(() => page.session); // Redis away: no reason to hang up
    if (session === null) page.response.end();
    else page.response.write(': still here\n\n');
  };
  const beats = setInterval(() => pages.forEach((page) => void beat(page)), BEAT_MS);
  beats.unref();

  return {
    open: async (request, response) => {
      const token = tokenOf(request) ?? '';
      const session = await sessions.check(token);
      if (session === null) throw createError('session.missing');
      if (pages.size >= MAX_PAGES) throw createError('service.unavailable', { retryAfterSeconds: 30 });
      response.writeHead(200, {
        ...API_HEADERS,
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      });
      response.write('retry: 3000\n\n');
      const page = { session, token, response };
      pages.add(page);
      response.on('close', () => pages.delete(page));
    },
    tell: (userId, areas) => {
      for (const page of pages) {
        if (!isFor(page, userId)) continue;
        send(page, page.session.role === 'admin' ? ['directory'] : areas);
      }
    },
    close: () => {
      clearInterval(beats);
      for (const { response } of pages) response.end();
    },
  };
};
