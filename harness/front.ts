// A port that stays while the processes behind it change, as the address of a service in a cluster does.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Front = {
  port: number;
  /** New connections go to these ports in turn; those that are open stay. */
  direct: (ports: readonly number[]) => void;
  close: () => Promise<void>;
};

const HOST = '127.0.0.1';

const join = (client: Socket, upstream: Socket): void => {
  const cut = (): void => [client, upstream].forEach((socket) => void socket.destroy());
  for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', cut);
  client.pipe(upstream).pipe(client);
};

export const startFront = async (): Promise<Front> => {
  let targets: readonly number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    const port = targets[(turn += 1) % targets.length];
    if (port === undefined) return void client.destroy();
    join(client, connect(port, HOST));
  });
  await once(server.listen(0, HOST), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    direct: (ports) => void (targets = ports),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};
