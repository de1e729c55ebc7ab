import { connect, type Socket } from 'node:net';
import type { Flood } from './floods.ts';

const STATUS = /^HTTP\/1\.1 (\d{3})/gm;
const DRIP_MS = 100;
/** Connections that a slow flood keeps open, beside the ten of the others. */
const SLOW_CONNECTIONS = 500;
const CONNECTIONS = 10;

type Running = { stop: () => Map<string, number> };

/** Keeps connections from one address busy with a flood. `stop` returns how often each status came back. */
export const startFlood = (port: number, localAddress: string, { bytes, isSlow = false }: Flood): Running => {
  const statuses = new Map<string, number>();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  const attack = (): void => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    sockets.add(socket);
    const drip = isSlow ? setInterval(() => socket.write('a'), DRIP_MS) : undefined;
    if (drip !== undefined) timers.add(drip);
    socket.write(bytes);
    socket.on('data', (chunk: Buffer) => {
      for (const [, status = ''] of chunk.toString('latin1').matchAll(STATUS)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (!isSlow) socket.write(bytes);
      }
    });
    socket.on('error', () => undefined); // the server ends connections of which it has not read the body
    socket.on('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
      if (!isStopped) setTimeout(attack, 1);
    });
  };
  Array.from({ length: isSlow ? SLOW_CONNECTIONS : CONNECTIONS }, attack);
  return {
    stop: () => {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      return statuses;
    },
  };
};
