import { appendFileSync, existsSync } from 'node:fs';

/**
 * Places where a crash or a lost connection would do most harm. A fault run arms some of them, each with a probability, and the
 * process then kills itself there as a power failure would: no handler runs, nothing is flushed.
 */
export type FailPoint =
  | 'outbox.before_insert'
  | 'transaction.after_commit'
  | 'transaction.response_lost'
  | 'relay.before_publish'
  | 'relay.after_publish'
  | 'inbox.before_commit'
  | 'consumer.after_commit'
  | 'stripe_inbox.after_insert'
  | 'stripe_inbox.after_answer'
  | 'mail.after_accept';

type Armed = { chances: ReadonlyMap<string, number>; switchFile: string; random: () => number };

// Module state, the only one in kit: callers would not pass a crash along as an argument.
let armed: Armed | null = null;

/** A small deterministic generator (mulberry32), so that a run can be repeated from its printed seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Arms points from `name=probability,…`. They fire only while `switchFile` exists, so that a run can finish cleanly. */
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

/** The file in which a run counts fired points: one line with the name for each. */
export const firedFile = (switchFile: string): string => `${switchFile}.fired`;

const fires = (name: FailPoint): boolean => {
  if (armed === null) return false;
  const { chances, switchFile, random } = armed;
  if (random() >= (chances.get(name) ?? 0) || !existsSync(switchFile)) return false;
  appendFileSync(firedFile(switchFile), `${name}\n`);
  return true;
};

/** Kills the process if a fault run has armed this point; otherwise does nothing. */
export const failPoint = (name: FailPoint): void => {
  if (fires(name)) process.kill(process.pid, 'SIGKILL');
};

/** Throws the error of a connection that is lost before the response, if a fault run has armed this point. */
export const loseResponse = (name: FailPoint): void => {
  if (fires(name))
    throw Object.assign(new Error('connection lost before the response'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
};
