import { appendFileSync, existsSync } from 'node:fs';

/**
 * Places where a crash, or a line that is cut, would hurt most. A fault run arms some of them with a chance each, and the
 * process then kills itself there as a power cut would: no handler runs, nothing is flushed.
 */
export type FailPoint =
  | 'outbox.before_insert'
  | 'transaction.after_commit'
  | 'transaction.answer_lost'
  | 'relay.before_publish'
  | 'relay.after_publish'
  | 'inbox.before_commit'
  | 'consumer.after_commit'
  | 'stripe_inbox.after_insert'
  | 'stripe_inbox.after_answer'
  | 'mail.after_accept';

type Armed = { chances: ReadonlyMap<string, number>; switchFile: string; random: () => number };

// The one thing in kit that a whole process shares: a crash is not an argument that callers would pass along.
let armed: Armed | null = null;

/** A small repeatable generator (mulberry32), so that a run can be made again from its printed seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Arms points from `name=chance,…`. They fire only while `switchFile` exists, so that a run can end in peace. */
export const armFailPoints = ({
  points,
  seed,
  switchFile,
}: {
  points: string;
  seed: number;
  switchFile: string;
}): void => {
  const chances = new Map(
    points
      .split(',')
      .map((one) => one.split('='))
      .map(([name = '', chance = '0']): [string, number] => [name, Number(chance)]),
  );
  armed = { chances, switchFile, random: randomFrom(seed) };
};

/** Where a run reads how often which point has fired: its name, a line each time. */
export const firedFile = (switchFile: string): string => `${switchFile}.fired`;

const fires = (name: FailPoint): boolean => {
  if (armed === null) return false;
  const { chances, switchFile, random } = armed;
  if (random() >= (chances.get(name) ?? 0) || !existsSync(switchFile)) return false;
  appendFileSync(firedFile(switchFile), `${name}\n`);
  return true;
};

/** Dies here if a fault run has armed this point; else does nothing. */
export const failPoint = (name: FailPoint): void => {
  if (fires(name)) process.kill(process.pid, 'SIGKILL');
};

/** Throws here, if a fault run has armed this point, what is thrown when a line is cut before the answer. */
export const loseResponse = (name: FailPoint): void => {
  if (fires(name))
    throw Object.assign(new Error('the line was cut before the answer'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
};
