import { connect, createServer, type Socket } from 'node:net';

/** What becomes of the next request: its connection may be cut before it is passed on, or before its reply comes back. */
export type Fate = 'pass' | 'lose request' | 'lose reply';

export type CuttingProxy = { url: string; counts: Record<Fate, number>; close: () => Promise<void> };

/** Starts a TCP proxy before a server, which cuts connections as `fateOf` says of each request. */
export const startCuttingProxy = async (target: string, fateOf: () => Fate): Promise<CuttingProxy> => {
  const { hostname, port } = new URL(target);
  const counts = { pass: 0, 'lose request': 0, 'lose reply': 0 };
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const both = [client, upstream];
    const cut = (): void => both.forEach((socket) => void socket.destroy());
    let fate: Fate | null = null;
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (chunk) => {
      if (fate === null) counts[(fate = fateOf())] += 1;
      if (fate === 'lose request') cut();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (fate === 'lose reply') return cut();
      fate = null;
      client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
