import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';
import type { History, Outcome } from './history.ts';

export type Parts = { system: Installation; history: History; random: () => number };

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'acked';
  return status >= 500 ? 'unknown' : 'refused';
};

const TRIES = 40;
const PAUSE_MS = 250;

export type Attempt<Body> = { outcome: Outcome; body: Body | null };

/** Retries until the outcome is known. Each try uses the same operation id, as a careful client does. */
export const retry = async <Body>(
  attempt: () => Promise<{ status: number; body: Body }>,
): Promise<Attempt<Body>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const response = await attempt().catch(() => null);
    const outcome = response === null ? 'unknown' : outcomeOf(response.status);
    if (response !== null && outcome !== 'unknown') return { outcome, body: response.body };
    await sleep(PAUSE_MS);
  }
  return { outcome: 'unknown', body: null };
};
