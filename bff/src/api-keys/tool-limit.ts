// The requests of one tool with all of its users. Their keys in Redis are on other nodes than those of a user, and one key of a tool that
// everybody uses is busy: so a request does not wait for its count. It is compared with the last one that this process knows, which is as
// old as one round trip.
import { minutes } from '@shortlist/contracts/durations';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Count } from './key-store.ts';

/** Counts a request of the tool, and returns what is known of those before it. */
export type CountTool = (toolId: string) => Count;

const WINDOW_MS = minutes(1);

const COUNT = `
local requests = redis.call('INCR', KEYS[1])
if requests == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {requests, redis.call('PTTL', KEYS[1])}`;

type Known = { requests: number; ends: number };

export const createToolCounter = ({ redis, clock }: { redis: Redis; clock: Clock }): CountTool => {
  const run = defineScript<[requests: number, leftMs: number]>(redis, 'countTool', { keys: 1, lua: COUNT });
  const counts = new Map<string, Known>();
  const count = async (toolId: string): Promise<void> => {
    const [requests, leftMs] = await run([`tool-requests:{${toolId}}`], [WINDOW_MS]);
    counts.set(toolId, { requests, ends: clock().getTime() + leftMs });
  };
  return (toolId) => {
    const now = clock().getTime();
    const known = counts.get(toolId);
    const { requests, ends } = known && known.ends > now ? known : { requests: 0, ends: now + WINDOW_MS };
    // Without Redis nobody gets as far as this; a count that is lost counts for the tool.
    count(toolId).catch(() => undefined);
    return { requests: requests + 1, leftMs: ends - now };
  };
};
