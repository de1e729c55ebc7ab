import { days, inSeconds, minutes } from '@shortlist/contracts/durations';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import type { Db } from '@shortlist/kit/data/db';
import { countDeletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { databaseUrl } from '@shortlist/kit/data/variables';
import { type Bus, EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import type { Clock } from '@shortlist/kit/process/clock';
import { loadConfig } from '@shortlist/kit/process/config';
import { createLog } from '@shortlist/kit/process/log';
import { type Command, EXIT, type Image, isConfirmed, YES_OPTION } from '../command.ts';
import { parseInstant } from '../instant.ts';
import { type Schema, withServiceDb } from '../service-db.ts';

const TOPICS = new Set(eventCatalogue.map(({ event }) => event.topic));
const TIMEOUT_SECONDS = inSeconds(minutes(60));

/** Outboxes and topics keep events for EVENT_DAYS, so that an earlier instant says nothing of what was lost. */
const readSince = (option: unknown, now: Date): Date => {
  const earliest = now.getTime() - days(EVENT_DAYS);
  return typeof option === 'string'
    ? new Date(Math.max(earliest, parseInstant(option, now).getTime()))
    : new Date(earliest);
};

/** Brings back what a service finds in the topics, and prints it. The group of the service still has its positions. */
export type BringBack = (parts: {
  db: Db;
  bus: Bus;
  clock: Clock;
  /** Earlier events of the topics are left out. */
  since: Date;
  print: (line: string) => void;
}) => Promise<void>;

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
      options: {
        since: {
          type: 'string',
          about: 'brings back what is later than this instant, by default all of the topics',
        },
        ...YES_OPTION,
      },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async (invocation) => {
        const { env, clock, terminal, options } = invocation;
        const since = readSince(options['since'], clock());
        const { print } = terminal;
        const question = `Has the database of ${name} been set back, and are its processes stopped?`;
        if (!(await isConfirmed(invocation, question))) return EXIT.failed;
        print(`Bringing ${name} up to date.`);
        const { DATABASE_URL: url } = loadConfig({ DATABASE_URL: databaseUrl }, env);
        const log = createLog('restored', 'silent');
        const bus = createKafka({ clientId: 'restored', log, settings: readKafkaSettings(env) });
        try {
          await bus.ensureTopics([...TOPICS], { keepDays: EVENT_DAYS }); // Kafka may have lost them, too
          const work = () =>
            withServiceDb({ url, schema }, async (db) => {
              await bringBack?.({ db, bus, clock, since, print });
              const deleted = await countDeletionsToRepeat(db);
              print(
                `${deleted} users of whose deletion the backups know are deleted again when ${name} starts.`,
              );
            });
          const rewound = await bus.rewind(name, work);
          if (rewound.length > 0)
            print(`${name} will consume the last ${EVENT_DAYS} days of ${rewound.join(', ')} again.`);
        } finally {
          await bus.close();
        }
        print(`Start the processes of ${name}, and after some minutes: shortlist verify`);
        return EXIT.done;
      },
    },
  ],
});
