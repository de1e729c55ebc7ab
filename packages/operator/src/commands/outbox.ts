import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { databaseUrl } from '@shortlist/kit/data/variables';
import { EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { republishEvents } from '@shortlist/kit/messaging/outbox';
import { loadConfig } from '@shortlist/kit/process/config';
import {
  type Action,
  type Command,
  EXIT,
  type ExitCode,
  type Image,
  YES_OPTION,
  isConfirmed,
} from '../command.ts';
import { parseInstant } from '../instant.ts';
import { type Schema, withServiceDb } from '../service-db.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(5));
const republish = (name: Image, schema: Schema): Action => ({
  name: 'republish',
  words: ['since'],
  options: YES_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  about: `publishes the events of ${name} again that were published since a time, up to ${EVENT_DAYS} days ago`,
  run: async (invocation): Promise<ExitCode> => {
    const { words, env, clock, terminal } = invocation;
    const until = clock();
    const since = parseInstant(words[0] ?? '', until);
    const question = `Publish the events of ${name} since ${since.toISOString()} again?`;
    if (!(await isConfirmed(invocation, question))) return EXIT.failed;
    const { DATABASE_URL: url } = loadConfig({ DATABASE_URL: databaseUrl }, env);
    const count = await withServiceDb({ url, schema }, (db) => republishEvents(db, { since, until }));
    terminal.print(`${count} event${count === 1 ? '' : 's'} of ${name} will be published again.`);
    return EXIT.done;
  },
});

/** The command for the outbox of one service. */
export const outboxCommand = (name: Image, schema: Schema): Command => ({
  actions: [republish(name, schema)],
});
