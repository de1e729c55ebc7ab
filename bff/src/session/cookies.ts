import type { IncomingMessage } from 'node:http';

export const cookiesOf = ({ headers }: IncomingMessage): Map<string, string> => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.filter((pair): pair is [string, string] => pair.length === 2));
};
