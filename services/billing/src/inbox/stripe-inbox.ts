// The operator's command for Stripe's stored events: lists pending and failed ones, and processes them.
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import {
  type Action,
  type Command,
  EXIT,
  type Invocation,
  JSON_OPTION,
  YES_OPTION,
  isConfirmed,
} from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { type Config, readConfig, readPolicies, readTrialPolicy } from '../config.ts';
import { schema } from '../db.ts';
import { createOperatorGateway } from '../stripe/operator-gateway.ts';
import { processEvent } from './receive-event.ts';
import {
  listStoredEventIds,
  listUnsettled,
  reopenEvents,
  type UnsettledEvent,
} from '../records/event-queries.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(5));
const PAGE = 200;
const ALL = 'all';

const withDb = <T>({ env }: Invocation, work: (db: Db, config: Config) => Promise<T>): Promise<T> => {
  const config = readConfig(env);
  return withServiceDb({ url: config.DATABASE_URL, schema }, (db) => work(db, config));
};

const lineOf = ({ eventId, type, status, attempts, receivedAt, lastError }: UnsettledEvent): string =>
  [eventId, type, status, attempts, receivedAt.toISOString(), lastError ?? ''].join('\t');

const list: Action = {
  name: 'list',
  about: 'lists pending and failed events',
  words: [],
  options: JSON_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { print } = invocation.terminal;
    const events = await withDb(invocation, (db) => listUnsettled(db.manager, PAGE));
    if (invocation.options['json'] === true) {
      print(JSON.stringify(events));
      return EXIT.done;
    }
    for (const event of events) print(lineOf(event));
    print(`${events.length} unsettled${events.length === PAGE ? ' or more' : ''}`);
    return EXIT.done;
  },
};

/** Returns the ids of the operator's selection. Throws if an id is not stored. */
const selectedIds = async (db: Db, selection: string): Promise<string[]> => {
  if (selection === ALL) return (await listUnsettled(db.manager, PAGE)).map(({ eventId }) => eventId);
  const stored = await listStoredEventIds(db.manager, [selection]);
  if (stored.size === 0) throw new Error(`no event ${selection} is stored`);
  return [selection];
};

type Selected = { db: Db; config: Config; ids: string[] };

/** Returns whether every event was processed. */
const processEvents = async (invocation: Invocation, { db, config, ids }: Selected): Promise<boolean> => {
  const { clock, terminal } = invocation;
  const log = createLog('stripe-inbox', 'error');
  const parts = { db, clock, log, policies: readPolicies(config), trials: readTrialPolicy(config) };
  const stripe = createOperatorGateway(config);
  await reopenEvents(db.manager, ids);
  let areAllProcessed = true;
  for (const eventId of ids) {
    const outcome = await processEvent({ ...parts, stripe }, eventId);
    terminal.print(`${eventId}\t${outcome}`);
    areAllProcessed &&= outcome !== 'failed';
  }
  return areAllProcessed;
};

const replay: Action = {
  name: 'replay',
  words: [`event id|${ALL}`],
  options: YES_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  about: `processes an event now, or all that are pending or failed, ${PAGE} at most`,
  run: async (invocation) => {
    const [selection = ''] = invocation.words;
    if (selection === ALL && !(await isConfirmed(invocation, 'Process all unsettled events?')))
      return EXIT.failed;
    const areAllProcessed = await withDb(invocation, async (db, config) => {
      const ids = await selectedIds(db, selection);
      return processEvents(invocation, { db, config, ids });
    });
    return areAllProcessed ? EXIT.done : EXIT.failed;
  },
};

export const stripeInboxCommand: Command = { actions: [list, replay] };
