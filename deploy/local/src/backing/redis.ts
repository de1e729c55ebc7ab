import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Print } from '../host/messages.ts';
import { programPath } from '../host/programs.ts';
import { checkReply, type Server, startNativeServer } from './server.ts';

/** While it loads its data, it replies with an error that says so. */
export const checkRedis = (port: number): Promise<string | null> =>
  checkReply({
    port,
    request: 'PING\r\n',
    reasonIn: (reply) => (reply.startsWith('+PONG') ? null : reply.trim()),
  });

type RedisOptions = {
  role: 'sessions' | 'queue';
  directory: string;
  port: number;
  print: Print;
};

// noeviction in both: a full sessions Redis must refuse a login rather than end sessions, and BullMQ breaks when keys
// vanish. Only the queue writes every second, since an accepted job must survive a crash.
export const startRedis = async (options: RedisOptions): Promise<Server> => {
  const { role, directory, port, print } = options;
  const data = join(directory, `redis-${role}`);
  await mkdir(data, { recursive: true });
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: data,
    'set-proc-title': 'no',
    hz: 2, // the default, ten times a second, is most of what an idle Redis uses
    'maxmemory-policy': 'noeviction',
    ...(role === 'queue' ? { appendonly: 'yes' } : { save: '60 1' }),
  };
  return startNativeServer({
    name: `Redis (${role})`,
    command: programPath('redis-server'),
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    logFile: join(directory, `redis-${role}.log`),
    url: `redis://127.0.0.1:${port}`,
    check: () => checkRedis(port),
    print,
  });
};
