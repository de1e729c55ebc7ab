// What must not happen while two releases run: failed requests, errors in a log, dead letters, failed jobs.
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedis } from '@shortlist/kit/data/redis';
import { deadLetterTopic } from '@shortlist/kit/messaging/dead-letters';
import { createLog } from '@shortlist/kit/process/log';
import type { System } from '@shortlist/local/system';
import { IMAGES } from '@shortlist/local/system/processes';
import { openBus } from '../../harness/broker.ts';

type Line = {
  level?: string;
  msg?: string;
  status?: number;
  route?: string;
  method?: string;
  err?: { message?: string };
};

const parse = (text: string): Line => {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return {};
  }
};

/** Of what the customers of the load do at Stripe, such as a dispute. */
const ALERT = 'alert raised';

/** One text for each kind of problem, without what differs from line to line. */
const describe = ({ level, msg, status = 0, route, method, err }: Line): string | null => {
  if (msg === 'request' && status >= 500) return `${method} ${route} returned ${status}`;
  if (msg === ALERT) return null;
  return level === 'error' || level === 'fatal' ? `${msg}: ${err?.message ?? ''}` : null;
};

/** Reads what was added to the logs of a system since the last call: each kind of problem with its number. */
const createLogReader = (system: System) => {
  const seen = new Map<string, number>();
  return (): string[] => {
    const folder = join(system.directory, 'logs');
    const found: string[] = [];
    for (const file of globSync('**/*.log', { cwd: folder })) {
      const content = readFileSync(join(folder, file), 'utf8');
      const added = content.slice(seen.get(file) ?? 0).split('\n');
      seen.set(file, content.length);
      const texts = added.map((line) => describe(parse(line))).filter((text) => text !== null);
      found.push(...texts.map((text) => `${file}: ${text}`));
    }
    return [...Map.groupBy(found, (text) => text)].map(([text, all]) => `${text} (${all.length} times)`);
  };
};

const countDeadLetters = async ({ backing }: System): Promise<number> => {
  const bus = openBus(backing.kafkaBrokers);
  try {
    const topics = IMAGES.map(deadLetterTopic);
    const positions = await bus.readPositions(
      'upgrade-test',
      topics.filter((topic) => !topic.startsWith('identity')),
    );
    return positions.reduce((sum, { low, high }) => sum + Number(high - low), 0);
  } finally {
    await bus.close();
  }
};

const countFailedJobs = async ({ backing }: System): Promise<number> => {
  const redis = createRedis(backing.queueRedisUrl, createLog('upgrade-test', 'silent'), {
    commandTimeoutMs: 5_000,
  });
  try {
    if (redis.status !== 'ready') await once(redis, 'ready');
    const counts = (await redis.keys('bull:*:failed')).map((key) => redis.zcard(key));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  } finally {
    redis.disconnect();
  }
};

/** Returns a function that lists what has happened since it was last called. */
export const watchProblems = async (system: System): Promise<() => Promise<string[]>> => {
  const readLogs = createLogReader(system);
  let [dead, failed] = [await countDeadLetters(system), await countFailedJobs(system)];
  readLogs(); // the start of the processes, which wait for each other
  return async () => {
    const [deadBefore, failedBefore] = [dead, failed];
    [dead, failed] = [await countDeadLetters(system), await countFailedJobs(system)];
    const counted = [
      ...(dead > deadBefore ? [`${dead - deadBefore} dead letters`] : []),
      ...(failed > failedBefore ? [`${failed - failedBefore} failed jobs`] : []),
    ];
    return [...counted, ...readLogs()];
  };
};
