import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free port of this machine. */
export const listen = async (respond: RequestListener): Promise<{ url: string; close: () => void }> => {
  const server = createServer({ keepAliveTimeout: 65_000 }, respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** The same in a process of its own, whose parent reads the address. */
export const listenForParent = async (respond: RequestListener): Promise<void> => {
  process.stdout.write((await listen(respond)).url);
};
