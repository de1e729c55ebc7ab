import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to `url` that a test can freeze: sockets stay open and no bytes pass, as when a machine hangs. */
export const openLine = async (
  url: string,
): Promise<{ url: string; freeze: () => void; thaw: () => void; close: () => void }> => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (frozen || to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => void (frozen = true),
    thaw: () => {
      frozen = false;
      end(); // bytes were lost, so the connections cannot be used any more
    },
    close: () => {
      end();
      server.close();
    },
  };
};
