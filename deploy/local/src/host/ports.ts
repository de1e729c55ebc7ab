import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The bad ports from 1024 on of the fetch standard (https://fetch.spec.whatwg.org/#port-blocking). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Reports whether browsers and fetch refuse to connect to this port. */
export const isPortBlocked = (port: number): boolean => BLOCKED_PORTS.has(port);

export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

// Below the range from which Linux (32768) and macOS (49152) take ports for outgoing connections: no other program takes
// the port while a fault test has its server stopped.
const LOWEST = 20_000;
/** Programs that start systems at the same time mostly choose from different slices: a chosen port is free until it is used. */
const SLICES = 20;
const SLICE_SIZE = 600;

/** The ports that this program chose last: a system's processes start a while after its backing servers have chosen theirs. */
const recentlyChosen: number[] = [];
const REMEMBERED = SLICE_SIZE / 3;

/** Returns ports that are free and that the last calls of this program did not return. */
export const findFreePorts = async (count: number): Promise<number[]> => {
  const lowest = LOWEST + (process.pid % SLICES) * SLICE_SIZE;
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(lowest, lowest + SLICE_SIZE);
    if (recentlyChosen.includes(port)) continue;
    recentlyChosen.push(port); // before the wait: calls at the same time must not choose it too
    if (await isPortFree(port)) found.add(port);
  }
  recentlyChosen.splice(0, recentlyChosen.length - REMEMBERED);
  return [...found];
};
