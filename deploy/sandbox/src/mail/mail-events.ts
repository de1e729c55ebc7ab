// SendGrid's event webhook: what became of mails, in signed batches.
import { createPrivateKey, sign } from 'node:crypto';
import type { Config } from '../config.ts';
import { randomText, type SandboxClock } from '../state.ts';
import { createQueue } from '../webhooks/queue.ts';
import type { Mail } from './mail.ts';
import type { Fated } from './mailboxes.ts';

type MailEvent = Record<string, string | number>;

export type MailEvents = {
  /** Adds what became of a mail to an address to the next batch. */
  add: (mail: Mail, email: string, fated: Fated) => void;
  /** Forgets what was not sent yet. */
  cancel: () => void;
};

/** SendGrid collects events for half a minute. */
const BATCH_MS = 150;
/** SendGrid tries for a day. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
const TIMEOUT_MS = 10_000;

const eventsOf = (
  mail: Mail,
  { email, fated, at }: { email: string; fated: Fated; at: number },
): MailEvent[] =>
  fated.map((fields) => ({
    ...mail.customArgs,
    email,
    timestamp: Math.floor(at / 1_000),
    'smtp-id': `<${mail.id}@sandbox>`,
    sg_message_id: `${mail.id}.recvd-sandbox-1-0`,
    sg_event_id: randomText(22),
    ...fields,
  }));

type Parts = { config: Pick<Config, 'mailEvents'>; clock: SandboxClock };

export const createMailEvents = ({ config, clock }: Parts): MailEvents => {
  const queue = createQueue(1);
  let batch: MailEvent[] = [];

  const post = async (events: MailEvent[], attempt: number): Promise<void> => {
    const target = config.mailEvents;
    if (!target) return;
    const body = `${JSON.stringify(events)}\r\n`;
    const timestamp = String(Math.floor(clock.realNow() / 1_000));
    const key = createPrivateKey({ key: Buffer.from(target.key, 'base64'), format: 'der', type: 'pkcs8' });
    const isAccepted = await fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'SendGrid Event API',
        'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), key).toString(
          'base64',
        ),
        'x-twilio-email-event-webhook-timestamp': timestamp,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), queue.signal()]),
    }).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
    const wait = RETRY_MS[attempt];
    if (!isAccepted && wait !== undefined && !queue.signal().aborted)
      queue.add(wait, () => post(events, attempt + 1));
  };

  const flush = (): Promise<void> => {
    const events = batch;
    batch = [];
    return events.length === 0 ? Promise.resolve() : post(events, 0);
  };

  return {
    add: (mail, email, fated) => {
      if (!config.mailEvents) return;
      if (batch.length === 0) queue.add(BATCH_MS, flush);
      batch.push(...eventsOf(mail, { email, fated, at: clock.realNow() }));
    },
    cancel: () => {
      batch = [];
      queue.clear();
    },
  };
};
