import { join } from 'node:path';
import { QUEUES } from '@shortlist/worker/jobs';
import { createQueue } from '@shortlist/kit/messaging/jobs';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { until } from '@shortlist/kit/testing/until';
// It measures the senders: a process of worker would add its consumers and schedules.
import { schema } from '@shortlist/worker/db';
import { insertMail } from '@shortlist/worker/mail/queries';
import { type MailJob, SENDERS, startMailWorker, wakeSender } from '@shortlist/worker/mail/send-mail';
import { createMailProvider } from '@shortlist/worker/mail/sendgrid';
import { measureMails } from '@shortlist/worker/mail/sweep-mails';
import { createUnsubscribeTokens } from '@shortlist/worker/mail/unsubscribe';
import { Queue, Worker } from 'bullmq';
import { uuidv7 } from 'uuidv7';
import { saveCeiling } from '../capacity/measured.ts';
import { percentile, type Print } from './measure.ts';
import { type BenchDb, clock, log, openService, startServerProcess, withDatabase } from './surroundings.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const MAILS = 2_000;
const EMPTY_JOBS = 20_000;
const RECEIPT = {
  invoiceId: 'in_bench',
  amount: '5900',
  currency: 'usd',
  paidAt: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-02-01T00:00:00.000Z',
};

const FROM = { email: 'hello@shortlist.test', name: 'Shortlist' };

/** Returns the jobs per second of a worker that starts with a full queue. It calls `begin` and `end` for each job. */
const drain = async (
  jobs: number,
  start: (begin: () => void, end: () => void) => { stop: () => Promise<unknown> },
): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>();
  let [ended, startedAt] = [0, 0];
  const end = (): void => {
    ended += 1;
    if (ended === jobs) resolve(performance.now());
  };
  const worker = start(() => (startedAt ||= performance.now()), end);
  const rate = (jobs * 1_000) / ((await promise) - startedAt);
  await worker.stop();
  return rate;
};

/** Mails, with the queue and the senders of worker and their settings. */
const openMails = async ({ db, backing }: BenchDb, apiUrl: string) => {
  const url = backing.queueRedisUrl;
  const mailQueue = createQueue<MailJob>(QUEUES.mail, { url, log, clock });
  const isReady = (): Promise<boolean> =>
    mailQueue.check().then(
      () => true,
      () => false,
    );
  await until('the queue', isReady);
  const metrics = createMetrics('worker');
  const key = `1:${'b'.repeat(64)}`;
  const provider = createMailProvider({ key: 'SG.bench', apiBase: apiUrl, from: FROM });
  const parts = {
    db,
    log,
    clock,
    mailQueue,
    brand: 'Shortlist',
    publicUrl: 'https://shortlist.test',
    unsubscribeTokens: createUnsubscribeTokens([{ id: '1', secret: 'b'.repeat(64) }]),
    profile: openService('profile', apiUrl, key),
    identity: openService('identity', apiUrl, key),
    provider,
    count: measureMails(metrics, db),
  };
  const addMail = (): Promise<void> =>
    insertMail(db.manager, {
      id: uuidv7(),
      template: 'receipt',
      userId: uuidv7(),
      eventId: uuidv7(),
      data: RECEIPT,
    });
  const measure = async (): Promise<number> => {
    for (let added = 0; added < MAILS; added += 50) await Promise.all(Array.from({ length: 50 }, addMail));
    await wakeSender(parts);
    return drain(MAILS, (begin, end) => {
      const send: typeof provider = (...mail) => {
        begin();
        return provider(...mail);
      };
      const count: typeof parts.count = (...outcome) => {
        parts.count(...outcome);
        end();
      };
      return startMailWorker({ ...parts, provider: send, count }, { url, metrics });
    });
  };
  return { measure, close: mailQueue.close };
};

/** BullMQ alone: jobs that do nothing. */
const openEmptyJobs = ({ backing }: BenchDb) => {
  const connection = { url: backing.queueRedisUrl, maxRetriesPerRequest: null };
  const queue = new Queue('empty', { connection });
  const measure = async (): Promise<number> => {
    const add = () => queue.add('job', {}, { removeOnComplete: true });
    await Promise.all(Array.from({ length: EMPTY_JOBS }, add));
    return drain(EMPTY_JOBS, (begin, end) => {
      const work = (): Promise<void> => {
        begin();
        end();
        return Promise.resolve();
      };
      const worker = new Worker('empty', work, { connection, concurrency: SENDERS });
      return { stop: () => worker.close() };
    });
  };
  return { measure, close: () => queue.close() };
};

const ALONE_AT_ONCE = 50;

/** Mails per second of SendGrid's package alone, as large as a receipt. */
const measurePackage = async (apiUrl: string): Promise<number> => {
  const provider = createMailProvider({ key: 'SG.bench', apiBase: apiUrl, from: FROM });
  const content = { subject: 'Receipt', text: 'a line\n'.repeat(100), html: '<p>a line</p>'.repeat(700) };
  const to = { email: 'ada@people.test', firstName: 'Ada' };
  const startedAt = performance.now();
  let left = MAILS;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await provider(content, to, { mailId: 'alone', despiteComplaint: false, unsubscribeLink: null });
    }
  };
  await Promise.all(Array.from({ length: ALONE_AT_ONCE }, send));
  return (MAILS * 1_000) / (performance.now() - startedAt);
};

/** Throws when the table and the provider do not agree on what was sent. */
const assertSent = async ({ db }: BenchDb, url: string): Promise<void> => {
  const { accepted } = (await (await fetch(`${url}/mails`)).json()) as { accepted: number };
  const [row]: { sent: string }[] = await db.query("SELECT SUM(status = 'sent') AS sent FROM mails");
  const mails = MAILS * (ROUNDS + 1); // and as many of the package alone
  if (Number(row?.sent) !== mails || accepted !== 2 * mails)
    throw new Error(`${row?.sent} mails sent, and the mail API accepted ${accepted}`);
};

/** P13 Compares the mail jobs of worker with SendGrid's package alone and with BullMQ's no-op jobs. */
export const benchMail = (print: Print): Promise<void> =>
  withDatabase({ name: 'worker', schema, parts: ['database', 'redis'] }, async (bench) => {
    const api = await startServerProcess([process.execPath, join(import.meta.dirname, 'mail-stub.ts')]);
    const [mails, empty] = [await openMails(bench, api.url), openEmptyJobs(bench)];
    try {
      const rates: Record<'mails' | 'alone' | 'empty', number[]> = { mails: [], alone: [], empty: [] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        const measured = {
          empty: await empty.measure(),
          alone: await measurePackage(api.url),
          mails: await mails.measure(),
        };
        if (round === 0) continue; // warm-up
        for (const name of ['empty', 'alone', 'mails'] as const) rates[name].push(measured[name]);
      }
      const rateOf = (name: keyof typeof rates): number => percentile(rates[name], 0.5);
      const ratio = (name: keyof typeof rates): string => (rateOf('mails') / rateOf(name)).toFixed(2);
      print(`P13 mail jobs ${rateOf('mails').toFixed(0)}/s`);
      print(`    SendGrid's package alone ${rateOf('alone').toFixed(0)}/s; ratio ${ratio('alone')}`);
      print(`    BullMQ, no-op ${rateOf('empty').toFixed(0)}/s; ratio ${ratio('empty')}`);
      await saveCeiling('mailsPerSecond', 'SAVE=yes make bench b=mail', rateOf('mails'));
      await assertSent(bench, api.url);
    } finally {
      await mails.close();
      await empty.close();
      await api.stop();
    }
  });
