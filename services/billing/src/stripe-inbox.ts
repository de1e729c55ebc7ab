// The provider's events for an operator: `list` shows what waits or has failed, `replay <id|all>` works it off now.
import { connect, createDb } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { readConfig } from './config.ts';
import { schema } from './db.ts';
import { BACKGROUND, createStripe } from './stripe/client.ts';
import { createStripeGateway } from './stripe/gateway.ts';
import { listUnsettled, reopenEvents } from './stripe/inbox.ts';
import { processEvent } from './stripe/process-event.ts';

const USAGE = 'list | replay <event id> | replay all';
const PAGE = 200;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const config = readConfig(process.env);
const log = createLog('stripe-inbox', 'error');
const clock = () => new Date();
const db = createDb({ url: config.DATABASE_URL, ...schema, poolSize: 2 });

const list = async (): Promise<void> => {
  const events = await listUnsettled(db.manager, PAGE);
  for (const { eventId, type, status, attempts, receivedAt, lastError } of events)
    say([eventId, type, status, attempts, receivedAt.toISOString(), lastError ?? ''].join('\t'));
  say(`${events.length} wait${events.length === PAGE ? ' or more' : ''}`);
};

const replay = async (which: string): Promise<void> => {
  const key = { key: config.STRIPE_SECRET_KEY, apiBase: config.STRIPE_API_BASE };
  const stripe = createStripeGateway(createStripe({ ...key, limits: BACKGROUND }));
  const ids =
    which === 'all' ? (await listUnsettled(db.manager, PAGE)).map(({ eventId }) => eventId) : [which];
  await reopenEvents(db.manager, ids);
  for (const eventId of ids) say(`${eventId}\t${await processEvent({ db, clock, log, stripe }, eventId)}`);
};

const [word, which = ''] = process.argv.slice(2);
await connect(db, log);
if (word === 'list' || word === undefined) await list();
else if (word === 'replay' && which !== '') await replay(which);
else {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}
await db.destroy();
