import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';

/** The result that a client received. `unknown`: the connection broke, so the operation may or may not have taken effect. */
export type Outcome = 'acked' | 'refused' | 'unknown';
type Kind = 'sign_up' | 'payment' | 'spend' | 'deletion';
export type Operation = { kind: Kind; id: string; userId: string; outcome: Outcome };

/** Every operation that clients requested, with its result; compared with the databases at the end. */
export type History = { record: (operation: Operation) => void; all: () => readonly Operation[] };

/** What simulated clients share. */
export type Parts = {
  system: Installation;
  history: History;
  random: () => number;
  /** Collects tries that a product without faults would not refuse. */
  failures?: string[];
};

const TRIES = 40;
const PAUSE_MS = 250;

export const createHistory = (): History => {
  const operations = new Map<string, Operation>();
  return {
    // A retry under the same id can turn unknown into another outcome; an acked operation stays acked.
    record: (operation) => {
      const key = `${operation.kind} ${operation.id}`;
      if (operations.get(key)?.outcome !== 'acked') operations.set(key, operation);
    },
    all: () => [...operations.values()],
  };
};

export const countAcked = (history: History): number =>
  history.all().filter(({ outcome }) => outcome === 'acked').length;

export type Attempt<Body> = { outcome: Outcome; body: Body | null };

/** Retries until the outcome is known. Each try uses the same operation id, as a careful client does. */
export const retry = async <Body>(
  { failures }: Pick<Parts, 'failures'>,
  attempt: () => Promise<{ status: number; body: Body }>,
): Promise<Attempt<Body>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { status, body } = await attempt().catch((error: unknown) => ({ status: 0, body: String(error) }));
    const isKnown = status !== 0 && status < 500;
    if (!isKnown || status === 401) failures?.push(`${status} ${JSON.stringify(body).slice(0, 200)}`);
    if (isKnown) return { outcome: status < 300 ? 'acked' : 'refused', body: body as Body };
    await sleep(PAUSE_MS);
  }
  return { outcome: 'unknown', body: null };
};
