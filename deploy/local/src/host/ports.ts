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
const SLICES = 20;
const SLICE_SIZE = 600;

/** Listens at a port for as long as this program runs, without keeping it from ending; resolves to false if another program does. */
const holdPort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });

/**
 * Reserves a slice of the ports for this program, by holding its first one. A chosen port is free until its process starts, and again while
 * a test has stopped that process: another program must not choose it then.
 */
const reserveSlice = async (): Promise<number> => {
  for (let turn = 0; turn < SLICES; turn += 1) {
    const lowest = LOWEST + ((process.pid + turn) % SLICES) * SLICE_SIZE;
    if (await holdPort(lowest)) return lowest;
  }
  throw new StartError(`${SLICES} other programs start systems on this machine; end one of them`);
};
let reservedSlice: Promise<number> | undefined;

/** The ports that this program chose last: a system's processes start a while after its backing servers have chosen theirs. */
const recentlyChosen: number[] = [];
const REMEMBERED = SLICE_SIZE / 3;

/** Returns ports that are free, that no other program chooses while this one runs, and that the last calls of this program did not return. */
export const findFreePorts = async (count: number): Promise<number[]> => {
  const lowest = await (reservedSlice ??= reserveSlice());
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(lowest + 1, lowest + SLICE_SIZE);
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
