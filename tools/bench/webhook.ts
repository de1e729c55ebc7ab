import { createHmac, randomUUID } from 'node:crypto';
import { startSystem, type System } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import { percentile } from './percentile.ts';

const RATE = 500;
const SECONDS = 10;

const signed = (secret: string, body: string): string => {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
};

// An event of a kind that we store and leave alone: it is the intake that is measured here, not what follows.
const eventBody = (): string =>
  JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'customer.updated',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: 'cus_bench', object: 'customer', padding: 'x'.repeat(2_000) } },
  });

const deliver = async ({ urls, secrets }: System): Promise<{ ms: number; status: number }> => {
  const body = eventBody();
  const headers = {
    'stripe-signature': signed(secrets.STRIPE_WEBHOOK_SECRET, body),
    'content-type': 'application/json',
  };
  const begun = performance.now();
  const { status } = await fetch(`${urls.billing}/webhooks/stripe`, { method: 'POST', headers, body });
  return { ms: performance.now() - begun, status };
};

/** Sends at a constant rate whatever the answers do, so that a slow moment is not hidden by sending less. */
const atRate = async (system: System, seconds: number): Promise<{ ms: number; status: number }[]> => {
  const sent: Promise<{ ms: number; status: number }>[] = [];
  const begun = performance.now();
  for (let index = 0; index < RATE * seconds;) {
    const due = Math.min(RATE * seconds, Math.ceil(((performance.now() - begun) / 1000) * RATE));
    for (; index < due; index += 1) sent.push(deliver(system));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return Promise.all(sent);
};

const countStored = async ({ backing }: System): Promise<number> => {
  const db = await createConnection(backing.databaseAdminUrl);
  const [rows] = await db.query(
    "SELECT COUNT(*) AS stored FROM billing.stripe_events WHERE type = 'customer.updated'",
  );
  await db.end();
  return Number((rows as { stored: number }[])[0]?.stored);
};

/** P8 webhook intake at 500 deliveries a second, and a burst of a thousand. */
export const benchWebhook = async (tell: (text: string) => void): Promise<void> => {
  const system = await startSystem({ env: { billing: { LOG_LEVEL: 'warn' } } });
  try {
    await atRate(system, 3); // warm
    const answers = await atRate(system, SECONDS);
    const times = answers.map(({ ms }) => ms);
    const refused = answers.filter(({ status }) => status !== 200).length;
    tell(
      `P8 ${RATE}/s for ${SECONDS} s: p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, refused ${refused}`,
    );
    const begun = performance.now();
    const burst = await Promise.all(Array.from({ length: 1_000 }, () => deliver(system)));
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    const turnedAway = burst.filter(({ status }) => status !== 200).length;
    tell(`   a burst of 1000: all answered after ${seconds} s, refused ${turnedAway}`);
    tell(`   rows stored in all: ${await countStored(system)}`);
  } finally {
    await system.stop();
  }
};
