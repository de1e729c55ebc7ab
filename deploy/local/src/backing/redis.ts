import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Part } from './part.ts';
import { startNativePart } from './native-part.ts';

export const redisAnswers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => end(reply.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });

export type RedisPlace = { program: string; role: 'sessions' | 'queue'; directory: string; port: number };

// noeviction in both: a full sessions Redis must refuse a login rather than throw people out, and BullMQ breaks
// when keys vanish. Only the queue writes every second, since a job that was accepted must survive a crash.
export const startRedis = async ({ program, role, directory, port }: RedisPlace): Promise<Part> => {
  const data = join(directory, `redis-${role}`);
  await mkdir(data, { recursive: true });
  const keeping = role === 'queue' ? ['--appendonly', 'yes'] : ['--appendonly', 'no', '--save', '60 1'];
  return startNativePart({
    name: `Redis (${role})`,
    command: program,
    args: [
      ...[
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        data,
        '--daemonize',
        'no',
        '--set-proc-title',
        'no',
      ],
      ...['--maxmemory-policy', 'noeviction', ...keeping],
    ],
    logFile: join(directory, `redis-${role}.log`),
    url: `redis://127.0.0.1:${port}`,
    isReady: () => redisAnswers(port),
  });
};
