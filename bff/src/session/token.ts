import type { IncomingMessage } from 'node:http';

/** The session token of a request, from `Authorization: Bearer <token>` or the bare token; null without one. */
export const tokenOf = ({ headers }: IncomingMessage): string | null => {
  const header = headers.authorization?.trim();
  if (!header) return null;
  return /^bearer /i.test(header) ? header.slice('Bearer '.length).trim() : header;
};
