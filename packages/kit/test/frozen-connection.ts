import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Line = {
  url: string;
  freeze: () => void;
  thaw: () => void;
  /** Accepts connections from now on and passes no bytes of them, as a server that is full; the open ones work on. */
  fill: () => void;
  /** Ends the far side of the open connections and leaves the near one waiting, as when a server was replaced. */
  forget: () => Promise<void>;
  close: () => void;
};

/** A connection to `url` that a test can freeze: sockets stay open and no bytes pass, as when a machine hangs. */
export const openLine = async (url: string): Promise<Line> => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let frozen = false;
  let isFull = false;
  const server = createServer((near) => {
    if (isFull) return void waiting.add(near.on('error', () => near.destroy()));
    const far = connect({ host: hostname, port: Number(port) });
    pairs.set(far, near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (frozen || to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (pairs.get(from) === to || from === near) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    for (const socket of [...sockets, ...waiting]) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => void (frozen = true),
    thaw: () => {
      frozen = false;
      end(); // bytes were lost, so the connections cannot be used any more
    },
    fill: () => void (isFull = true),
    forget: async () => {
      const ended = [...pairs.keys()].filter((far) => sockets.has(far));
      pairs.clear();
      await Promise.all(ended.map((far) => once(far.destroy(), 'close')));
    },
    close: () => {
      end();
      server.close();
    },
  };
};
