// Stripe's stored events for an operator: `list` prints pending and failed events, `replay <id|all>` processes them now.
import { connect, createDb } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { readConfig } from './config.ts';
import { schema } from './db.ts';
import { BACKGROUND, createStripe } from './stripe/client.ts';
import { createStripeGateway } from './stripe/gateway.ts';
import { NO_OPTIONS } from './stripe/session-params.ts';
import { processEvent } from './sync/process-event.ts';
import { listUnsettled, reopenEvents } from './sync/queries.ts';

const USAGE = 'list | replay <event id> | replay all';
const PAGE = 200;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const config = readConfig(process.env);
const log = createLog('stripe-inbox', 'error');
const clock = () => new Date();
const db = createDb({ url: config.DATABASE_URL, ...schema, poolSize: 2 });

const list = async (): Promise<void> => {
  const events = await listUnsettled(db.manager, PAGE);
  for (const { eventId, type, status, attempts, receivedAt, lastError } of events)
    print([eventId, type, status, attempts, receivedAt.toISOString(), lastError ?? ''].join('\t'));
  print(`${events.length} unsettled${events.length === PAGE ? ' or more' : ''}`);
};

const replay = async (target: string): Promise<void> => {
  const account = { key: config.STRIPE_SECRET_KEY, apiBase: config.STRIPE_API_BASE };
  const stripe = createStripeGateway(createStripe({ ...account, limits: BACKGROUND }), NO_OPTIONS);
  const ids =
    target === 'all' ? (await listUnsettled(db.manager, PAGE)).map(({ eventId }) => eventId) : [target];
  await reopenEvents(db.manager, ids);
  for (const eventId of ids) print(`${eventId}\t${await processEvent({ db, clock, log, stripe }, eventId)}`);
};

const [command, target = ''] = process.argv.slice(2);
await connect(db, log);
if (command === 'list' || command === undefined) await list();
else if (command === 'replay' && target !== '') await replay(target);
else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}
await db.destroy();
