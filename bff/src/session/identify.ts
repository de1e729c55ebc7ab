import type { IncomingMessage } from 'node:http';
import { createError } from '@shortlist/kit/process/errors';
import type { Request } from 'express';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Session, SessionRole, Sessions } from './sessions.ts';

/** The session token of a request: `Bearer <token>`, or the bare token. */
export const tokenOf = ({ headers }: IncomingMessage): string | null => {
  const header = headers.authorization?.trim();
  if (!header) return null;
  return /^bearer /i.test(header) ? header.slice('Bearer '.length).trim() : header;
};

const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/** Who asks, by the session's word alone. A token that is no longer good counts as none. */
export const createIdentify =
  (sessions: Sessions) =>
  async (request: Request): Promise<Caller> => {
    const token = tokenOf(request);
    const session = token === null ? null : await sessions.check(token);
    if (session === null) return ANONYMOUS;
    return {
      role: session.role,
      userId: session.userId,
      ...(request.ip === undefined ? {} : { address: request.ip }),
    };
  };

/** The session behind a request. Throws `session.missing` without one, `session.forbidden` for one of the other role. */
export const requireSession = async (
  sessions: Sessions,
  request: IncomingMessage,
  role: SessionRole,
): Promise<Session> => {
  const token = tokenOf(request);
  const session = token === null ? null : await sessions.check(token);
  if (session === null) throw createError('session.missing');
  if (session.role !== role) throw createError('session.forbidden');
  return session;
};
