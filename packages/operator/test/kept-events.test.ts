// Each consumer handles a stored event of each type that it consumes, in its own database.
import { billingHandlers } from '@shortlist/billing/consumers';
import { schema as billing } from '@shortlist/billing/db';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { keptEvents } from '@shortlist/contracts/testing/kept-events';
import { creditsHandlers } from '@shortlist/credits/consumers';
import { schema as credits } from '@shortlist/credits/db';
import { createLog } from '@shortlist/kit/process/log';
import { type EventHandlers, parseMessage } from '@shortlist/kit/messaging/handle-batch';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { profileHandlers } from '@shortlist/profile/consumers';
import { schema as profile } from '@shortlist/profile/db';
import { workerHandlers } from '@shortlist/worker/consumers';
import { schema as worker } from '@shortlist/worker/db';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCHEMAS = { profile, billing, credits, worker };
type Consumer = keyof typeof SCHEMAS;
const CONSUMERS = Object.keys(SCHEMAS) as Consumer[];

const log = createLog('test', 'silent');
const clock = (): Date => new Date();
const databases = {} as Record<Consumer, TestDb>;
const handlers = {} as Record<Consumer, EventHandlers>;

/** Of what handlers call beside the database: queues take a job, identity has no admin, and no user is known to Stripe. */
const surroundings = () => {
  const queue = { add: () => Promise.resolve() };
  const identity = () => Promise.resolve({ data: [] });
  return { clock, log, mailQueue: queue, exportQueue: queue, webhookQueue: queue, identity };
};

beforeAll(async () => {
  for (const name of CONSUMERS) databases[name] = await createTestDb(SCHEMAS[name]);
  const { profile: ofProfile, billing: ofBilling, credits: ofCredits, worker: ofWorker } = databases;
  handlers.profile = profileHandlers({ db: ofProfile.db, clock });
  handlers.credits = creditsHandlers(ofCredits.db, clock);
  handlers.billing = billingHandlers({ ...surroundings(), db: ofBilling.db } as never);
  handlers.worker = workerHandlers({ ...surroundings(), db: ofWorker.db } as never);
});
afterAll(async () => {
  for (const name of CONSUMERS) await databases[name].drop();
});

const CASES = eventCatalogue.flatMap(({ event: { type }, consumedBy }) =>
  CONSUMERS.filter((name) => consumedBy.includes(name)).map((name) => ({ name, type })),
);

it.each(CASES)('$name handles a stored $type', async ({ name, type }) => {
  const stored = keptEvents.find((event) => event.type === type);
  const parsed = parseMessage(handlers[name], JSON.stringify(stored));
  await parsed?.handler.handle(parsed.event);
  const [row] = await databases[name].db.query<[{ count: string }]>(
    'SELECT COUNT(*) AS count FROM inbox WHERE consumer = ? AND event_id = ?',
    [name, stored?.id],
  );
  expect(Number(row.count), `${name} must handle events of earlier releases`).toBe(1);
});
