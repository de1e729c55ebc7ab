// What an action costs beside its own process: calls between services, statements of databases, commands of Redis, events and jobs. Counts,
// no times.
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { minutes } from '@shortlist/contracts/durations';
import { type CollectedSpan, type Collector, openCollector } from '@shortlist/kit/testing/collector';
import { until } from '@shortlist/kit/testing/until';
import { makeTemporaryFolder } from '@shortlist/local/host/config';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { NODE_FLAGS } from '@shortlist/local/system/processes';
import type { System } from '@shortlist/local/system';
import { MAINTENANCE_JOBS } from '@shortlist/worker/jobs';
import { createApiKey } from '../../harness/api-keys.ts';
import {
  callApi,
  chargeCredit,
  logIn,
  logInAdmin,
  mailSubjects,
  newUser,
  openCheckout,
  payCheckout,
  signUp,
} from '../../harness/client.ts';
import type { Print } from './measure.ts';
import { selectOne, withSystem } from './surroundings.ts';

/** Longer than consumers take after the last of an action's effects, and spans to the collector. */
const QUIET_MS = 4_000;
/** What runs without an action: the relay looks for events, and takes its lock. */
const IDLE =
  /^(SELECT id, topic, |SELECT (GET|RELEASE)_LOCK|SELECT 1\b|SET SESSION|SELECT COUNT\(\*\) AS unsent)/;

/** Of a database, or a command of Redis. */
type Statement = { kind: 'sql' | 'redis'; traceId: string | null; text: string };
type Counts = { calls: string[]; events: string[]; jobs: string[]; statements: number; commands: number };

const MAINTENANCE = new Set<string>(Object.values(MAINTENANCE_JOBS).map((job) => `run ${job}`));

/** Counts what happened, apart from maintenance: `job` is one that is part of the action. */
const countIn = (
  all: readonly CollectedSpan[],
  { spans, statements }: { spans: readonly CollectedSpan[]; statements: readonly Statement[] },
  job?: string,
): Counts => {
  const isBackground = ({ name }: CollectedSpan): boolean => MAINTENANCE.has(name) && name !== `run ${job}`;
  const background = new Set(all.filter(isBackground).map(({ traceId }) => traceId));
  const counted = spans.filter(({ traceId }) => !background.has(traceId));
  const byId = new Map(counted.map((span) => [span.spanId, span]));
  const callerOf = ({ service, parentSpanId }: CollectedSpan): string => {
    const caller = byId.get(parentSpanId ?? '')?.service ?? service;
    return caller === service ? '' : caller;
  };
  const named = (prefix: string): string[] =>
    counted.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return {
    calls: counted.flatMap((span) =>
      /^[A-Z]+ \//.test(span.name) && callerOf(span) !== ''
        ? [`${callerOf(span)} → ${span.service} ${span.name}`]
        : [],
    ),
    events: named('publish '),
    jobs: named('run '),
    statements: statements.filter(
      ({ kind, traceId, text }) =>
        kind === 'sql' && !background.has(traceId ?? '') && !(traceId === null && IDLE.test(text)),
    ).length,
    // Without a trace are those of the connections themselves, and a worker's between its jobs.
    commands: statements.filter(
      ({ kind, traceId }) => kind === 'redis' && traceId !== null && !background.has(traceId),
    ).length,
  };
};

type Recording = { collector: Collector; readStatements: () => Promise<Statement[]> };

/** Runs an action while nothing else happens, waits for its effects, and prints the counts. */
const measure = async (
  { collector, readStatements }: Recording,
  print: Print,
  { name, act, job }: { name: string; act: () => Promise<unknown>; job?: string },
): Promise<void> => {
  await sleep(QUIET_MS);
  const [spans, statements] = [collector.spans.length, (await readStatements()).length];
  await act();
  await sleep(QUIET_MS);
  const recorded = {
    spans: collector.spans.slice(spans),
    statements: (await readStatements()).slice(statements),
  };
  await sleep(QUIET_MS); // the spans of maintenance jobs that were still running
  const { calls, events, jobs, statements: count, commands } = countIn(collector.spans, recorded, job);
  const sent = `${count} statements, ${commands} Redis commands`;
  print(`${name}: ${calls.length} calls, ${sent}, ${events.length} events, ${jobs.length} jobs`);
  for (const [what, names] of Object.entries({ call: calls, event: events, job: jobs }))
    for (const [each, { length }] of Map.groupBy(names, String)) print(`    ${what} ${length} × ${each}`);
};

const untilMailed = (system: System, email: string, subject: string): Promise<void> =>
  until(`the mail '${subject}'`, async () => (await mailSubjects(system, email)).includes(subject));

const runActions = async (system: System, recording: Recording, print: Print): Promise<void> => {
  const { publicUrl } = system;
  const [payer, granted] = [newUser(), newUser()];
  const measured = (name: string, act: () => Promise<unknown>, job?: string): Promise<void> =>
    measure(recording, print, { name, act, ...(job && { job }) });

  await measured('sign-up', async () => {
    await signUp(system, payer);
    await untilMailed(system, payer.email, 'Welcome to Shortlist');
  });
  await measured('log-in', () => logIn(system, payer));
  const session = await logIn(system, payer);
  await measured('session check', () =>
    callApi(`${publicUrl}/authentication_check`, 'GET', { token: session.token }),
  );
  const checkout = await openCheckout(system, session);
  await measured('webhook to credits', async () => {
    await payCheckout(system, checkout);
    await untilMailed(system, payer.email, 'Your Shortlist receipt');
  });
  await measured('one charge', () => chargeCredit(system, session, { operationId: randomUUID() }));
  const { key } = await createApiKey(system, session);
  const apiCharge = {
    token: key,
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'email_found' },
  };
  await measured('charge with an API key', () => callApi(`${publicUrl}/api/v1/charges`, 'POST', apiCharge));
  await measured('reading the credits', () =>
    callApi(`${publicUrl}/api/credits`, 'GET', { token: session.token }),
  );
  await signUp(system, granted);
  await untilMailed(system, granted.email, 'Welcome to Shortlist');
  const { id, token } = await logIn(system, granted);
  const admin = await logInAdmin(system);
  await measured('grant to mail', async () => {
    await callApi(`${publicUrl}/admin/user-payment/${id}`, 'PUT', { token: admin });
    await until('the mail', async () => (await mailSubjects(system, granted.email)).length === 2);
  });
  await callApi(`${publicUrl}/api/privacy/deletion`, 'POST', {
    token,
    body: { email: granted.email, subscription: 'end_now' },
  });
  await until('the mail', async () => (await mailSubjects(system, granted.email)).length >= 3);
  const due = `UPDATE identity.deletions SET due_at = NOW(3) - INTERVAL 1 SECOND, reminded_at = NOW(3)
    WHERE account_id = '${id}'`;
  const isGone = async (): Promise<boolean> =>
    (await selectOne(system, `SELECT id FROM identity.accounts WHERE id = '${id}'`)) === undefined;
  await measured(
    'deletion',
    async () => {
      await selectOne(system, due);
      await until('the deletion', isGone, minutes(3));
    },
    MAINTENANCE_JOBS.advanceDeletions,
  );
};

/** Counts what each action costs, in a product that records each trace and each statement. */
export const benchCost = async (print: Print): Promise<void> => {
  const collector = await openCollector();
  const directory = await makeTemporaryFolder();
  const file = join(directory, 'statements');
  const preloaded = pathToFileURL(join(import.meta.dirname, 'count-statements.ts')).href;
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    STATEMENTS_FILE: file,
    NODE_OPTIONS: [...NODE_FLAGS, `--import=${preloaded}`].join(' '),
  };
  const readStatements = async (): Promise<Statement[]> =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as [Statement['kind'], string | null, unknown])
      .map(([kind, traceId, text]) => ({ kind, traceId, text: typeof text === 'string' ? text : '' }));
  const services = PROCESS_NAMES.filter((name) => name !== 'sandbox');
  const env = Object.fromEntries(services.map((name) => [name, settings]));
  try {
    await withSystem(env, (system) => runActions(system, { collector, readStatements }, print));
  } finally {
    collector.close();
    await rm(directory, { recursive: true });
  }
};
