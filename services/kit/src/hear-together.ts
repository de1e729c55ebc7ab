import type { HeardMessage } from './bus.ts';
import { failPoint } from './fail-point.ts';
import { type Hearing, type Hearings, readMessage } from './hearings.ts';
import { handleAllOnce, type Once, type OnceEffect } from './inbox.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { inTrace, traceFrom } from './trace.ts';
import { within } from './within.ts';

/** Short, since each may then need its own time, before the member is taken for a silent one. */
const LIMIT_MS = 5_000;

type Parts = { hearings: Hearings; log: Log; metrics: Metrics; effectLimitMs: number };
type Line = { together: NonNullable<Hearing['together']>; fact: OnceEffect['fact'] };

/** The facts in these messages that somebody hears, or null when one of them has to be handled by itself. */
const readLines = ({ hearings }: Parts, messages: readonly HeardMessage[]): Line[] | null => {
  const lines: Line[] = [];
  for (const { value } of messages) {
    const heard = readMessage(hearings, value);
    if (heard === null) continue;
    const { hearing, fact } = heard;
    if (hearing.together === undefined) return null;
    lines.push({ together: hearing.together, fact });
  }
  return lines;
};

/** The one inbox that all of them are noted in, or null. */
const sharedInbox = (lines: readonly Line[]): Once | null => {
  const first = lines[0]?.together.once ?? null;
  return lines.every(({ together }) => together.once === first) ? first : null;
};

const hearLines = async (parts: Parts, lines: readonly Line[]): Promise<boolean> => {
  const once = sharedInbox(lines);
  if (once === null) return lines.length === 0;
  const effects = lines.map(({ together, fact }) => ({
    fact,
    effect: (...args: Parameters<OnceEffect['effect']>) =>
      inTrace(traceFrom(fact.traceparent), () => together.effect(...args)),
  }));
  const { effectLimitMs, log, metrics } = parts;
  const limitMs = Math.min(effectLimitMs, LIMIT_MS);
  await within(handleAllOnce(once, effects), limitMs, () => new Error('not done in time together'));
  failPoint('consumer.after_commit');
  for (const { fact } of lines) {
    log.info({ type: fact.type, eventId: fact.id, userId: fact.subject }, 'heard');
    metrics.factsHeard.inc({ type: fact.type, outcome: 'handled' });
  }
  return true;
};

/**
 * Hears a run of messages in one transaction: their ids and their effects, all or nothing. Answers false when that cannot be,
 * for whatever reason: one was heard before, cannot be read, or fails. Each is then to be handled by itself, with all its tries.
 */
export const hearTogether = async (parts: Parts, messages: readonly HeardMessage[]): Promise<boolean> => {
  try {
    const lines = readLines(parts, messages);
    return lines !== null && (await hearLines(parts, lines));
  } catch (error) {
    parts.log.debug({ err: error, count: messages.length }, 'handled one by one');
    return false;
  }
};
