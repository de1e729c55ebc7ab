import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { startNativeServer } from './native-server.ts';
import type { Server } from './server.ts';

export const checkRedis = (port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const end = (reason: string | null): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    // While it loads its data it replies with an error that says so.
    socket.once('data', (reply) =>
      end(reply.toString().startsWith('+PONG') ? null : reply.toString().trim()),
    );
    socket.once('error', (error) => end(messageOf(error)));
    socket.once('timeout', () => end('no response to PING within 1 s'));
  });

type RedisOptions = {
  program: string;
  role: 'sessions' | 'queue';
  directory: string;
  port: number;
  print: Print;
};

// noeviction in both: a full sessions Redis must refuse a login rather than end sessions, and BullMQ breaks when keys
// vanish. Only the queue writes every second, since an accepted job must survive a crash.
export const startRedis = async (options: RedisOptions): Promise<Server> => {
  const { program, role, directory, port, print } = options;
  const data = join(directory, `redis-${role}`);
  await mkdir(data, { recursive: true });
  const persistence = role === 'queue' ? ['--appendonly', 'yes'] : ['--appendonly', 'no', '--save', '60 1'];
  return startNativeServer({
    name: `Redis (${role})`,
    command: program,
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', data],
      ...['--daemonize', 'no', '--set-proc-title', 'no'],
      // The default, ten times a second, is most of what an idle Redis uses.
      ...['--hz', '2', '--maxmemory-policy', 'noeviction', ...persistence],
    ],
    logFile: join(directory, `redis-${role}.log`),
    url: `redis://127.0.0.1:${port}`,
    check: () => checkRedis(port),
    print,
  });
};
