import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const isPortFree = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

// Below the range from which Linux (32768) and macOS (49152) take ports for outgoing connections: a port stays
// ours while a fault test has its server down.
const LOWEST = 20_000;
const HIGHEST = 32_000;

export const findFreePorts = async (count: number): Promise<number[]> => {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isPortFree(port)) found.add(port);
  }
  return [...found];
};
