import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { SENDGRID_WEBHOOK_PATH } from '@shortlist/contracts/api/email';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { QUEUES } from '../src/jobs.ts';
import { databaseNow, inTransaction } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { createQueue, type JobQueue } from '@shortlist/kit/messaging/jobs';
import { createError } from '@shortlist/kit/process/errors';
import type { Clock } from '@shortlist/kit/process/clock';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { openTestService } from '@shortlist/kit/testing/open-service';
import { until } from '@shortlist/kit/testing/until';
import type { Config as SandboxConfig } from '@shortlist/sandbox/config';
import { createSandbox } from '@shortlist/sandbox/sandbox';
import { uuidv7 } from 'uuidv7';
import { inject } from 'vitest';
import { createWorker } from '../src/app.ts';
import { schema } from '../src/db.ts';
import type { ExportJob } from '../src/jobs.ts';
import { type MailJob, sendDueMails } from '../src/mail/send-mail.ts';
import { createMailProvider, createUnsuppress } from '../src/mail/sendgrid.ts';
import { measureMails, measureProvider, sweepMails } from '../src/mail/sweep-mails.ts';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe.ts';
import type { WebhookJob } from '../src/webhooks/send-webhooks.ts';

export const START = new Date('2026-03-01T12:00:00.000Z');
const KEY = 'SG.of_the_sandbox';

export const PAID = {
  key: 'in_1',
  start: START.toISOString(),
  end: '2026-04-01T12:00:00.000Z',
  graceUntil: '2026-04-08T12:00:00.000Z',
};
const planState = { version: 1, paid: PAID, granted: null };
export const INVOICE = {
  number: 'A1B2-0001',
  tax: 437,
  periodStart: START.toISOString(),
  periodEnd: '2026-04-01T12:00:00.000Z',
  pdfUrl: 'https://invoice.stripe.test/in_1/pdf?s=ap&x=1',
};
export const PAYMENT = {
  invoiceId: 'in_1',
  amount: 5900,
  currency: 'usd',
  paidAt: START.toISOString(),
  invoice: INVOICE,
  planState,
};

export type SentMail = {
  to: { email: string; name?: string }[];
  subject: string;
  text: string;
  html: string;
  customArgs: Record<string, string>;
  headers: Record<string, string>;
  isTracked: boolean;
  bypassesSpam: boolean;
  outcomes: Record<string, string>;
};
type MailRow = { id: string; status: string; uncertain: number; attempts: number; last_error: string | null };

const log = createLog('test', 'silent');

/** The pair with which the sandbox signs its events and worker verifies them. */
export const EVENT_KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The sandbox as the mail provider. It sends events to the address that `sendEvents` names. */
const openMailServer = async (clock: Clock) => {
  const config: SandboxConfig = {
    port: 0,
    host: '127.0.0.1',
    publicUrl: null,
    stateFile: null,
    webhookUrl: 'http://127.0.0.1:9/unused',
    webhookSecret: 'whsec_none',
    stripeSecretKey: 'sk_test_none',
    mailApiKey: KEY,
  };
  const sandbox = createSandbox({ config, clock: () => clock().getTime() });
  const server = await sandbox.listen();
  const control = async <T>(method: string, path: string, body: unknown = {}): Promise<T> => {
    const response = await fetch(`${server.url}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  const sendEvents = (url: string): void => {
    const key = EVENT_KEYS.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    config.mailEvents = { url, key };
  };
  return { url: server.url, close: server.close, control, sendEvents };
};

/** Profile with the users that a test adds. */
const createProfile = () => {
  const users = new Map<string, { email: string; firstName: string }>();
  const addProfile = (id: string, firstName = 'Ada'): void =>
    void users.set(id, { email: `${id}@people.test`, firstName });
  const deleted = new Set<string>();
  let isProfileDown = false;
  const profile: ServiceClient = (_endpoint, input) => {
    if (isProfileDown) return Promise.reject(createError('service.unavailable'));
    const { id = '' } = input as { id?: string };
    if (deleted.has(id)) return Promise.reject(createError('profile.deleted'));
    const data = users.get(id);
    return data ? Promise.resolve({ data } as never) : Promise.reject(createError('profile.not_found'));
  };
  return {
    profile,
    users,
    addProfile,
    firstNameOf: (id: string): string => users.get(id)?.firstName ?? '',
    setEmail: (id: string, email: string) => void users.set(id, { email, firstName: 'Ada' }),
    setProfileDown: (isDown: boolean) => void (isProfileDown = isDown),
    deleteProfile: (id: string) => void deleted.add(id),
    addUser: (firstName = 'Ada'): string => {
      const id = uuidv7();
      addProfile(id, firstName);
      return id;
    },
  };
};

/** identity's users and admins. */
const createAccounts = (users: ReadonlyMap<string, { email: string }>) => {
  const admins = new Map<string, { email: string; role: AdminRole; name: string | null }>();
  const suspended = new Set<string>();
  const verified = new Set<string>();
  const accounts = new Map<string, string>();
  /** The address that identity names for the mails about a change. */
  const addressesOfChanges = new Map<string, string>();
  const emailOf = (userId: string): string | undefined =>
    users.get(userId)?.email ?? admins.get(userId)?.email ?? accounts.get(userId);
  return {
    verified,
    emailOf,
    emailOfChange: (changeId: string) => addressesOfChanges.get(changeId),
    listAdmins: () =>
      [...admins].map(([userId, { email, role, name }]) => ({
        userId,
        email,
        name,
        role: suspended.has(userId) ? null : role,
      })),
    /** Settings that a test changes. */
    changes: {
      /** An account that profile does not know yet. */
      addAccount: (): string => {
        const id = uuidv7();
        accounts.set(id, `${id}@people.test`);
        return id;
      },
      addChange: (changeId: string, email: string) => void addressesOfChanges.set(changeId, email),
      setVerified: (id: string) => void verified.add(id),
      /** Adds an admin, or gives an admin another role. */
      addAdmin: (role: AdminRole = 'owner', id = uuidv7(), name: string | null = null): string => {
        admins.set(id, { email: `${id}@people.test`, role, name });
        return id;
      },
      suspendAdmin: (id: string) => void suspended.add(id),
      removeAdmin: (id: string) => void admins.delete(id),
    },
  };
};

type Order = { purpose?: string; userId?: string; reference?: string };

/** Identity with these accounts, which a test can take away. */
const createIdentity = ({
  verified,
  emailOf,
  emailOfChange,
  listAdmins,
}: ReturnType<typeof createAccounts>) => {
  let isIdentityDown = false;
  let refusals = 0;
  let issued = 0;
  const issueToken = ({ purpose, userId = '', reference }: Order) => {
    const email = reference === undefined ? emailOf(userId) : emailOfChange(reference);
    const isDone = purpose === 'email_verify' && verified.has(userId);
    if (email === undefined || isDone) throw createError('identity.user_not_found');
    return { data: { token: `${purpose}-${(issued += 1)}`, code: '012345', email } };
  };
  const identity: ServiceClient = async (endpoint, input) => {
    if (isIdentityDown) {
      refusals += 1;
      return Promise.reject(createError('service.unavailable'));
    }
    const { id = '' } = input as { id?: string };
    if (endpoint.path === identityEndpoints.email.path) {
      const data = { email: emailOf(id), isVerified: verified.has(id), pendingEmail: null };
      return Promise.resolve({ data } as never);
    }
    const isOrder = endpoint.path === identityEndpoints.issueMailedToken.path;
    return Promise.resolve((isOrder ? issueToken(input) : { data: listAdmins() }) as never);
  };
  return {
    identity,
    identityRefusals: () => refusals,
    setIdentityDown: (isDown: boolean) => void (isIdentityDown = isDown),
  };
};

/** A queue that stores the data of its jobs, for the test to run. */
export const createJobList = <Data>() => {
  const jobs: Data[] = [];
  const queue: JobQueue<Data> = {
    add: (_name, data) => Promise.resolve(void jobs.push(data)),
    schedule: () => Promise.resolve(),
    check: () => Promise.resolve(),
    describe: () => Promise.resolve({ server: 'Redis 7.0.15', used: 2_000_000, limit: null }),
    measure: () => Promise.resolve({ jobs: { waiting: 0, active: 0, delayed: 0, failed: 0 }, oldestMs: 0 }),
    listFailed: () => Promise.resolve([]),
    retry: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  return { jobs, queue };
};

/** A queue of emails with a unique name. */
const openMailQueue = async (clock: Clock) => {
  const redisUrl = inject('queueRedisUrl');
  const queueName = `${QUEUES.mail}-${randomUUID()}`;
  const mailQueue = createQueue<MailJob>(queueName, { url: redisUrl, log, clock });
  await until('the queue', () =>
    mailQueue.check().then(
      () => true,
      () => false,
    ),
  );
  return { redisUrl, queueName, mailQueue };
};

/** The keys of the links in the emails. */
export const UNSUBSCRIBE_KEYS = [{ id: '1', secret: 'u'.repeat(64) }];

/** credits, which records for whom emails were turned off. */
const createCredits = () => {
  const turnedOff: string[] = [];
  const deleted = new Set<string>();
  const credits: ServiceClient = (_endpoint, input) => {
    const { userId } = input as { userId: string };
    if (deleted.has(userId)) return Promise.reject(createError('credits.user_not_found'));
    turnedOff.push(userId);
    return Promise.resolve({} as never);
  };
  return { credits, turnedOff, deleteCredits: (id: string) => void deleted.add(id) };
};

type Options = {
  clock?: Clock;
  eventKey?: KeyObject | null;
  /** Whether the sandbox sends events about emails. */
  hasEvents?: boolean;
};

const atStart: Clock = () => START;

/** worker's emails with a real queue of a unique name, a real database, and the sandbox as the email provider. */
export const openWorker = async ({
  clock = atStart,
  eventKey = EVENT_KEYS.publicKey,
  hasEvents = true,
}: Options = {}) => {
  const { db, drop } = await createTestDb(schema);
  const { control, sendEvents, ...mailServer } = await openMailServer(clock);
  const { redisUrl, queueName, mailQueue } = await openMailQueue(clock);
  const { profile, users, ...profiles } = createProfile();
  const accounts = createAccounts(users);
  const { identity, ...identityState } = createIdentity(accounts);
  const { credits, ...creditsState } = createCredits();
  const { jobs: exportJobs, queue: exportQueue } = createJobList<ExportJob>();
  const { queue: webhookQueue } = createJobList<WebhookJob>();
  const { queue: maintenanceQueue } = createJobList<Record<never, never>>();
  const metrics = createMetrics('worker');
  const parts = {
    count: measureMails(metrics, db),
    db,
    clock,
    log,
    profile,
    identity,
    mailQueue,
    exportQueue,
    webhookQueue,
    maintenanceQueue,
    brand: 'Shortlist',
    publicUrl: 'https://shortlist.test',
    credits,
    unsubscribeTokens: createUnsubscribeTokens(UNSUBSCRIBE_KEYS),
    provider: measureProvider(
      metrics,
      createMailProvider({
        key: KEY,
        apiBase: mailServer.url,
        from: { email: 'hello@shortlist.test', name: 'Shortlist' },
      }),
    ),
  };
  const unsuppress = createUnsuppress({ key: KEY, apiBase: mailServer.url });
  const service = createWorker({ ...parts, metrics, sharedClock: databaseNow, eventKey, unsuppress });
  const opened = await openTestService(service, { db, clock });
  /** Of the mails that wait, makes those to the user due, and no others. */
  /** In a transaction, which runs again after a deadlock with a concurrent sender. */
  const makeDue = (userId: string): Promise<unknown> =>
    inTransaction(db, (tx) =>
      tx.query(
        "UPDATE mails SET next_try_at = IF(user_id = ?, '2000-01-01', NOW(3) + INTERVAL 1 DAY) WHERE status = 'pending'",
        [userId],
      ),
    );
  if (hasEvents) sendEvents(`${opened.url}${SENDGRID_WEBHOOK_PATH}`);

  return {
    ...parts,
    ...creditsState,
    bus: opened.bus,
    url: opened.url,
    ask: opened.ask,
    metrics,
    exportJobs,
    redisUrl,
    queueName,
    control,
    /** Moves the times of every mail back by `seconds`. */
    age: (seconds: number) =>
      db.query(
        `UPDATE mails SET created_at = created_at - INTERVAL ? SECOND, changed_at = changed_at - INTERVAL ? SECOND,
           next_try_at = next_try_at - INTERVAL ? SECOND`,
        [seconds, seconds, seconds],
      ),
    ...accounts.changes,
    ...profiles,
    ...identityState,
    fault: (more: object) => control('PUT', '/faults', { path: '/v3/mail/send', ...more }),
    publish: async <Data>(type: EventType<Data>, subject: string, data: Data): Promise<CloudEvent<Data>> => {
      const event = eventOf(type, subject, data, { time: clock().toISOString() });
      await opened.bus.publish(type.topic, [{ key: subject, value: JSON.stringify(event) }]);
      await until('the event to be consumed', async () => {
        const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE event_id = ?', [event.id]);
        return rows.length > 0;
      });
      return event;
    },
    publishAgain: (event: CloudEvent<unknown>, topic: string) =>
      opened.bus.publish(topic, [{ key: event.subject, value: JSON.stringify(event) }]),
    rows: (userId: string): Promise<MailRow[]> =>
      db.query('SELECT id, status, uncertain, attempts, last_error FROM mails WHERE user_id = ?', [userId]),
    makeDue,
    /** Sends only the user's waiting emails, whenever they are due. */
    send: async (userId: string): Promise<void> => {
      await makeDue(userId);
      await sendDueMails(parts).catch(() => undefined);
    },
    sweep: () => sweepMails(parts),
    sent: async (userId: string): Promise<SentMail[]> => {
      const { data } = await control<{ data: SentMail[] }>('GET', '/mails');
      return data.filter(({ to }) => to.some(({ email }) => email === `${userId}@people.test`));
    },
    close: async () => {
      await opened.stop();
      await mailQueue.close();
      await mailServer.close();
      await drop();
    },
  };
};

export type Worker = Awaited<ReturnType<typeof openWorker>>;
