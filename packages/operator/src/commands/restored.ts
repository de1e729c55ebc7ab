import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import { databaseUrl } from '@shortlist/kit/data/variables';
import { type Bus, EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import type { Clock } from '@shortlist/kit/process/clock';
import { loadConfig } from '@shortlist/kit/process/config';
import { createLog } from '@shortlist/kit/process/log';
import { type Command, EXIT, type Image, isConfirmed, YES_OPTION } from '../command.ts';
import { type Schema, withServiceDb } from '../service-db.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(60));

/** Brings back what a service finds in the topics, and prints it. */
type BringBack = (parts: { db: Db; bus: Bus; clock: Clock; print: (line: string) => void }) => Promise<void>;

/**
 * The command after a service's database was set back to an earlier instant, before its processes start. They consume again what the topics
 * still have: what the database knew, its inbox recognises. `bringBack`: for a service whose states others copy.
 */
export const restoredCommand = (name: Image, schema: Schema, bringBack?: BringBack): Command => ({
  actions: [
    {
      name: '',
      about: `brings ${name} up to date after its database was set back to an earlier instant; its processes must not run`,
      words: [],
      options: YES_OPTION,
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async (invocation) => {
        const { env, clock, terminal } = invocation;
        const { print } = terminal;
        const question = `Has the database of ${name} been set back, and are its processes stopped?`;
        if (!(await isConfirmed(invocation, question))) return EXIT.failed;
        print(`Bringing ${name} up to date.`);
        const { DATABASE_URL: url } = loadConfig({ DATABASE_URL: databaseUrl }, env);
        const log = createLog('restored', 'silent');
        const bus = createKafka({ clientId: 'restored', log, settings: readKafkaSettings(env) });
        try {
          const topics = await bus.rewind(name);
          if (topics.length > 0)
            print(`${name} will consume the last ${EVENT_DAYS} days of ${topics.join(', ')} again.`);
          await withServiceDb({ url, schema }, async (db) => bringBack?.({ db, bus, clock, print }));
        } finally {
          await bus.close();
        }
        print(`Start the processes of ${name}, and after some minutes: shortlist verify`);
        return EXIT.done;
      },
    },
  ],
});
