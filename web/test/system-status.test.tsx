import { screen, within } from '@testing-library/react';
import type { SystemStatus } from '@shortlist/contracts/api/system';
import { minutes } from '@shortlist/contracts/durations';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import {
  deadLetter,
  failedJob,
  processStatus,
  requestReport,
  stripeEvent,
  systemStatus,
} from './fixtures.ts';
import { fill, logInAdmin, openApp } from './render-app.tsx';

type Handlers = NonNullable<Parameters<typeof fakeServer>[0]>;

const open = (handlers: Handlers = {}) => {
  logInAdmin();
  const stripe = { checkedAt: new Date().toISOString(), checks: [] };
  const server = fakeServer({
    system: () => ({ data: { version: '1.2.3', stripe, alerts: [] } }),
    ...handlers,
  });
  return { server, ...openApp('/admin/system') };
};

const panel = async (title: string): Promise<HTMLElement> => {
  const heading = await screen.findByRole('heading', { name: title });
  return heading.closest('section') as HTMLElement;
};

const valueOf = (name: string): string =>
  screen.getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent ?? '';

const withProcess = (
  name: string,
  change: Partial<SystemStatus['processes'][number]>,
): Pick<SystemStatus, 'processes'> => ({
  processes: systemStatus().processes.map((one) => (one.name === name ? { ...one, ...change } : one)),
});

const GOOD = 'Every service is running, and nothing needs attention.';

describe('the state of the services', () => {
  test('is good only when everything was read and nothing has failed', async () => {
    open();
    expect(await screen.findByText(GOOD)).toBeInTheDocument();
    expect(within(await panel('Services')).getAllByText('Running')).toHaveLength(6);
  });

  test('names a service that does not respond first, with when it last did', async () => {
    const silent = withProcess('credits', { status: null, seenAt: '2026-11-20T09:10:00.000Z' });
    open({ systemStatus: () => ({ data: systemStatus(silent) }) });
    expect(await screen.findByText(/^Credits has not responded since /)).toBeInTheDocument();
    const [, first] = within(await panel('Services')).getAllByRole('row');
    expect(first).toHaveTextContent(/^Credits.*Does not respondNot checked since /);
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('has the last 24 hours of each service, with p95 and errors', async () => {
    const requests = requestReport({ 3: { errors: 600, p95: 9_200 }, 5: { minutesDown: 30 } });
    const slow = { ...withProcess('worker', { requests: { ...requests, p95: 9_200 } }) };
    open({ systemStatus: () => ({ data: systemStatus(slow) }) });
    const services = within(await panel('Services'));
    const row = (await services.findByText('Worker')).closest('tr') as HTMLElement;
    expect(within(row).getByRole('cell', { name: '9.2 s' })).toBeVisible();
    expect(within(row).getByRole('cell', { name: '1%' })).toBeVisible();
    const label = 'Last 24 hours: one half hour with errors, one half hour not up';
    const strokes = within(row).getByRole('img', { name: label });
    const words = [...strokes.querySelectorAll('title')].map(({ textContent }) => textContent);
    expect(words).toHaveLength(48);
    expect(words.at(-4)).toMatch(/: 1,200 requests, 600 failed, p95 9.2 s$/);
    expect(words.at(-6)).toMatch(/: 1,200 requests, 0 failed, p95 84 ms, 30 minutes not up$/);
    expect(services.getAllByRole('img', { name: 'Last 24 hours: no errors' })).toHaveLength(5);
    expect(services.getByText(/p95 is estimated from the buckets of a histogram/)).toBeVisible();
  });

  test('has a service of which nothing is known, and one that does not respond as it last said', async () => {
    const silent = withProcess('credits', { status: null, seenAt: '2026-11-20T09:10:00.000Z' });
    const processes = silent.processes.map((one) => (one.name === 'bff' ? { ...one, requests: null } : one));
    open({ systemStatus: () => ({ data: systemStatus({ processes }) }) });
    const services = within(await panel('Services'));
    expect(services.getByRole('img', { name: 'Last 24 hours: 48 half hours unknown' })).toBeInTheDocument();
    const row = (await services.findByText('Credits')).closest('tr') as HTMLElement;
    expect(within(row).getByRole('cell', { name: '84 ms' })).toBeVisible();
  });

  test('names what a service cannot reach and what it could not handle', async () => {
    const status = processStatus({
      dependencies: [
        { name: 'kafka', isUp: false, details: { server: null, used: 3, limit: null } },
        { name: 'queue', isUp: true, details: { server: 'Redis 7.0.15', used: 39_845_888, limit: 2 ** 29 } },
        { name: 'sessions', isUp: true, details: { server: 'Redis 7.0.15', used: 1, limit: null } },
      ],
      consumption: { lag: [], deadLetters: 2, unreadable: 0 },
    });
    open({ systemStatus: () => ({ data: systemStatus(withProcess('profile', { status })) }) });
    expect(await screen.findByText('Profile cannot reach Kafka.')).toBeInTheDocument();
    expect(screen.getByText('2 events could not be handled by Profile.')).toBeInTheDocument();
    const dependencies = within(await panel('Dependencies')).getAllByRole('listitem');
    expect(dependencies.map((item) => item.textContent)).toEqual([
      'DatabaseMariaDB 10.11.14, 61 of 200 connectionsGateway, Identity, Billing, Credits, WorkerRunning',
      'Kafka3 brokersProfileNot reached by Profile',
      'Redis, queuesRedis 7.0.15, 38 of 512 MBProfileRunning',
      'Redis, sessionsRedis 7.0.15, 1 MBProfileRunning',
    ]);
  });

  test('is not good while failed events are not counted', async () => {
    const status = processStatus({ consumption: { lag: [], deadLetters: null, unreadable: null } });
    open({ systemStatus: () => ({ data: systemStatus(withProcess('worker', { status })) }) });
    expect(await screen.findByText('The failed events of Worker are still being counted.')).toBeVisible();
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('names jobs that failed, mails that wait, and a consumer that is behind', async () => {
    const status = processStatus();
    if (status.consumption !== null) status.consumption.lag = [{ topic: 'billing.events', waiting: 250 }];
    const { work } = systemStatus();
    const queue = { waiting: 0, failed: 1, oldestSeconds: 0 };
    const queues = [{ ...queue, name: 'exports' as const }];
    const late = work && { ...work, queues, unsent: { waiting: 38, oldestSeconds: 1_200 } };
    const data = systemStatus({ ...withProcess('credits', { status }), work: late });
    open({ systemStatus: () => ({ data }) });
    expect(await screen.findByText('1 job of the queue Exports has failed.')).toBeInTheDocument();
    expect(screen.getByText('38 emails wait to be sent, the oldest for 20 minutes.')).toBeInTheDocument();
    expect(screen.getByText('Credits has 250 events still to handle.')).toBeInTheDocument();
  });

  test('names a backup that is missing, or too old, or was not restored for a trial', async () => {
    const { work } = systemStatus();
    const now = new Date().toISOString();
    const old = '2026-01-20T03:00:00.000Z';
    let backups: { newest: string | null; verified: string | null } = { newest: null, verified: null };
    const { user } = open({
      systemStatus: () => ({ data: systemStatus({ work: work && { ...work, backups } }) }),
    });
    expect(await screen.findByText('No backup has been made yet.')).toBeInTheDocument();
    backups = { newest: old, verified: now };
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(/^The last backup was made on Jan 20/)).toBeInTheDocument();
    backups = { newest: now, verified: old };
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(/restored for a trial is of Jan/)).toBeInTheDocument();
    backups = { newest: now, verified: now };
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(GOOD)).toBeInTheDocument();
  });

  test('names a check of the records that failed, and that none was made for long', async () => {
    const { work } = systemStatus();
    const held = work?.verification ?? null;
    const heldAt = '2026-01-20T03:30:00.000Z';
    const about = 'the outbox of billing is empty';
    let verification = null as typeof held;
    const { user } = open({
      systemStatus: () => ({ data: systemStatus({ work: work && { ...work, verification } }) }),
    });
    expect(await screen.findByText('The records have not been verified yet.')).toBeInTheDocument();
    expect(valueOf('Last check of the records')).toBe('Never');
    const checkNow = () => user.click(screen.getByRole('button', { name: 'Check now' }));
    verification = held && { ...held, breached: [{ invariant: 'V5', about, breaches: 2 }], heldAt };
    await checkNow();
    expect(
      await screen.findByText(`A check of the records failed: ${about} (V5, 2 breaches).`),
    ).toBeInTheDocument();
    expect(valueOf('Last check of the records')).toMatch(
      /: 1 of 36 checks failed, all last passed on Jan 20/,
    );
    verification = held && { ...held, endedAt: heldAt, unchecked: 1 };
    await checkNow();
    expect(await screen.findByText(/^The records were last verified on Jan 20/)).toBeInTheDocument();
    expect(valueOf('Last check of the records')).toMatch(/: 36 checks passed, 1 could not be made$/);
    verification = held;
    await checkNow();
    expect(await screen.findByText(GOOD)).toBeInTheDocument();
  });

  test('stands above everything else, alerts included', async () => {
    const silent = withProcess('credits', { status: null, seenAt: null });
    open({ systemStatus: () => ({ data: systemStatus(silent) }) });
    const problem = await screen.findByText('Credits does not respond.');
    const after = problem.compareDocumentPosition(screen.getByRole('heading', { name: 'Alerts' }));
    expect(after & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  });

  test('is not good while alerts and settings could not be loaded', async () => {
    open({
      system: () => {
        throw apiFailure('service.unavailable');
      },
    });
    expect(await screen.findByText('Alerts and payment settings could not be loaded.')).toBeInTheDocument();
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('is not good while payments or queues are unknown', async () => {
    open({ systemStatus: () => ({ data: systemStatus({ stripe: null, work: null }) }) });
    expect(
      await screen.findByText('The state of the Stripe webhooks could not be read.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('that is outdated is unknown, however good it was', async () => {
    const checkedAt = new Date(Date.now() - minutes(11)).toISOString();
    open({ systemStatus: () => ({ data: systemStatus({ checkedAt }) }) });
    const services = await panel('Services');
    expect(within(services).getAllByText('Does not respond')).toHaveLength(6);
    expect(within(services).queryByText('Running')).not.toBeInTheDocument();
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('fails without the lists below it', async () => {
    open({
      systemStatus: () => {
        throw apiFailure('service.unavailable');
      },
    });
    expect(await screen.findByText('The state of the services could not be loaded')).toBeInTheDocument();
    expect(screen.getByText('There are no failed events.')).toBeInTheDocument();
    expect(screen.getByText('No webhook has failed.')).toBeInTheDocument();
    expect(screen.queryByText(GOOD)).not.toBeInTheDocument();
  });

  test('is read again at once by Check now', async () => {
    let reads = 0;
    const { user } = open({
      systemStatus: () => {
        reads += 1;
        return { data: systemStatus() };
      },
    });
    await screen.findByText(GOOD);
    const before = reads;
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    await expect.poll(() => reads).toBeGreaterThan(before);
  });
});

describe('a failed webhook', () => {
  test('opens to its payload and is replayed', async () => {
    const replayed: string[] = [];
    const { user } = open({
      stripeEvents: () => ({ data: replayed.length === 0 ? [stripeEvent()] : [], next: null }),
      stripeEvent: () => ({ data: { ...stripeEvent(), payload: '{"id":"in_1"}' } }),
      replayStripeEvent: ({ params }) => {
        replayed.push(params['eventId'] ?? '');
        return { data: { done: 1, failed: 0, left: 0 } };
      },
    });
    const webhooks = await panel('Stripe webhooks');
    await user.click(await within(webhooks).findByText('invoice.payment_failed'));
    expect(await within(webhooks).findByText('{"id":"in_1"}')).toBeInTheDocument();
    await user.click(within(webhooks).getByRole('button', { name: /^Replay invoice.payment_failed/ }));
    expect(await screen.findByText(/^1 handled, 0 failed again/)).toBeInTheDocument();
    expect(replayed).toEqual(['evt_1QN8zKfa02']);
    expect(await within(webhooks).findByText('No webhook has failed.')).toBeInTheDocument();
  });

  test('is replayed with all others after a question', async () => {
    let count = 0;
    const status = systemStatus();
    if (status.stripe !== null) status.stripe.events.failed = 3;
    const { user } = open({
      systemStatus: () => ({ data: status }),
      replayStripeEvents: () => {
        count += 1;
        return { data: { done: 3, failed: 0, left: 0 } };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Replay 3 failed' }));
    const dialog = await screen.findByRole('dialog');
    expect(count).toBe(0);
    await user.click(within(dialog).getByRole('button', { name: 'Replay 3 failed' }));
    expect(await screen.findByText(/^3 handled/)).toBeInTheDocument();
    expect(count).toBe(1);
  });
});

describe('a failed event', () => {
  const listed = (overrides: Parameters<typeof deadLetter>[0] = {}): Handlers => ({
    deadLetters: () => ({ data: [deadLetter(overrides)], missing: [] }),
    deadLetter: () => {
      const { consumer: _, ...letter } = deadLetter(overrides);
      return { data: { ...letter, content: '{"amount":5900}' } };
    },
  });

  test('is discarded with a reason alone', async () => {
    const reasons: unknown[] = [];
    const { user } = open({
      ...listed(),
      discardDeadLetter: ({ body: { reason } }) => {
        if (reason === '') throw apiFailure('request.invalid', { reason: 'Please enter a reason' });
        reasons.push(reason);
        return { message: 'discarded' };
      },
    });
    await user.click(await screen.findByText('billing.PaymentSucceeded.v1'));
    await user.click(await screen.findByRole('button', { name: /^Discard billing/ }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
    expect(await within(dialog).findByText('Please enter a reason')).toBeInTheDocument();
    await fill(user, within(dialog).getByLabelText('Reason'), 'Paid back by hand');
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
    expect(await screen.findByText('The event was discarded.')).toBeInTheDocument();
    expect(reasons).toEqual(['Paid back by hand']);
  });

  test('after an earlier one of its user cannot be replayed', async () => {
    const { user } = open(listed({ hasEarlier: true }));
    await user.click(await screen.findByText('billing.PaymentSucceeded.v1'));
    expect(await screen.findByText(/Replay that one first/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Replay billing/ })).not.toBeInTheDocument();
  });

  test('is said to be missing where a service could not be asked', async () => {
    open({ deadLetters: () => ({ data: [], missing: ['credits', 'worker'] }) });
    expect(await screen.findByText(/^Those of Credits and Worker could not be read/)).toBeInTheDocument();
    expect(screen.queryByText('There are no failed events.')).not.toBeInTheDocument();
  });
});

test('a failed job is tried again', async () => {
  const retried: string[] = [];
  const { user } = open({
    failedJobs: () => ({ data: [failedJob()] }),
    retryJob: ({ params }) => {
      retried.push(params['jobId'] ?? '');
      return { message: 'retried' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Try again: export.write' }));
  expect(await screen.findByText('The job is waiting to run again.')).toBeInTheDocument();
  expect(retried).toEqual(['export-1']);
});

test('an admin who may only read sees no content and no buttons', async () => {
  const { user } = open({
    checkAdmin: () => ({ remainingTime: 3_600, role: 'read_only' }),
    deadLetters: () => ({ data: [deadLetter()], missing: [] }),
    failedJobs: () => ({ data: [failedJob()] }),
  });
  await user.click(await screen.findByText('billing.PaymentSucceeded.v1'));
  expect(await screen.findByText(/^Only owners see/)).toBeInTheDocument();
  expect(await screen.findByText('export.write')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /again$|^Discard|^Replay/ })).not.toBeInTheDocument();
});
