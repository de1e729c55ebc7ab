import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const cookiesOf = ({ headers }: IncomingMessage): Map<string, string> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.filter((pair): pair is [string, string] => pair.length === 2));
};

/** Compares two texts in constant time. */
export const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
