import { startSystem, type System } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import { atConstantRate } from './constant-rate.ts';
import { percentile } from './percentile.ts';
import { signedEvent } from './signed-event.ts';

const RATE = 500;
const SECONDS = 10;

// An event type that is stored and then ignored, so that only the intake is measured.
const IGNORED_EVENT = {
  type: 'customer.updated',
  object: { id: 'cus_bench', object: 'customer', padding: 'x'.repeat(2_000) },
};

const deliver = async ({ urls, secrets }: System): Promise<{ ms: number; status: number }> => {
  const { body, headers } = signedEvent(secrets.STRIPE_WEBHOOK_SECRET, IGNORED_EVENT);
  const startedAt = performance.now();
  const { status } = await fetch(`${urls.billing}/webhooks/stripe`, { method: 'POST', headers, body });
  return { ms: performance.now() - startedAt, status };
};

const countStored = async ({ backing }: System): Promise<number> => {
  const db = await createConnection(backing.databaseAdminUrl);
  const [rows] = await db.query(
    "SELECT COUNT(*) AS stored FROM billing.stripe_events WHERE type = 'customer.updated'",
  );
  await db.end();
  return Number((rows as { stored: number }[])[0]?.stored);
};

/** P8 Measures the webhook intake at 500 deliveries per second, and a burst of 1,000. */
export const benchWebhook = async (print: (text: string) => void): Promise<void> => {
  const system = await startSystem({ env: { billing: { LOG_LEVEL: 'warn' } } });
  try {
    const send = (): ReturnType<typeof deliver> => deliver(system);
    await atConstantRate({ perSecond: RATE, seconds: 3 }, send); // warm-up
    const results = await atConstantRate({ perSecond: RATE, seconds: SECONDS }, send);
    const times = results.map(({ ms }) => ms);
    const refused = results.filter(({ status }) => status !== 200).length;
    print(
      `P8 ${RATE}/s for ${SECONDS} s: p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, refused ${refused}`,
    );
    const startedAt = performance.now();
    const burst = await Promise.all(Array.from({ length: 1_000 }, () => deliver(system)));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
    const refusedInBurst = burst.filter(({ status }) => status !== 200).length;
    print(`   a burst of 1000: all responses after ${seconds} s, refused ${refusedInBurst}`);
    print(`   rows stored in total: ${await countStored(system)}`);
  } finally {
    await system.stop();
  }
};
