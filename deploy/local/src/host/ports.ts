import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './messages.ts';

export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
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

export const describePortsInUse = (ports: readonly number[], user = 'another program'): string =>
  `${ports.length === 1 ? `Port ${ports.join()} is` : `Ports ${ports.join(', ')} are`} in use by ${user}; ` +
  'end that one, or choose other ports, as in: make start PORT=7000';

/** The processes of a killed run may need a moment to end. */
const PORTS_LIMIT_MS = 3_000;

/** Throws a `StartError` when another program uses one of these ports. */
export const requireFreePorts = async (ports: readonly number[]): Promise<void> => {
  const end = performance.now() + PORTS_LIMIT_MS;
  for (const port of ports) {
    while (!(await isPortFree(port))) {
      if (performance.now() > end) throw new StartError(describePortsInUse([port]));
      await sleep(100);
    }
  }
};
