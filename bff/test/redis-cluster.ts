import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from '@shortlist/kit/data/redis';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { startNativeServer } from '@shortlist/local/backing/server';
import { checkRedis } from '@shortlist/local/backing/redis';
import { findFreePorts } from '@shortlist/local/host/ports';

/**
 * Starts Redis in cluster mode, with all slots on one node, and returns a client whose scripts run under the cluster's rules: a
 * command with keys of several slots is refused, and so is a script that uses a key of another slot than its declared ones.
 */
export const startRedisCluster = async (): Promise<{ redis: Redis; stop: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
  const [port = 0, busPort = 0] = await findFreePorts(2);
  const url = `redis://127.0.0.1:${port}`;
  const server = await startNativeServer({
    name: 'Redis (cluster)',
    command: 'redis-server',
    url,
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(busPort),
    ],
    logFile: join(directory, 'redis.log'),
    check: () => checkRedis(port),
    print: () => undefined,
  });
  const redis = await openTestRedis(url);
  await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until('the cluster', async () => String(await redis.call('CLUSTER', 'INFO')).includes('state:ok'));
  const define = redis.defineCommand.bind(redis);
  // Redis applies the rule about undeclared keys to scripts that begin with this line.
  redis.defineCommand = (name, script) => define(name, { ...script, lua: `#!lua\n${script.lua}` });
  return {
    redis,
    stop: async () => {
      redis.disconnect();
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
};
