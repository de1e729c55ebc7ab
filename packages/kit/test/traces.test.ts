import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operationsOf } from '@shortlist/contracts/api/operation';
import { flag, nonEmptyText } from '@shortlist/contracts/schemas/validation';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { topicOf } from '@shortlist/contracts/events/define';
import { inTransaction } from '../src/data/db.ts';
import { on } from '../src/messaging/handle-batch.ts';
import { createQueue, type JobQueue, startWorker } from '../src/messaging/jobs.ts';
import { emit } from '../src/messaging/outbox.ts';
import { inTrace, type Trace } from '../src/process/trace.ts';
import { type CollectedSpan, type Collector, openCollector } from '../src/testing/collector.ts';
import { createOutboxAndInbox, createTestDb, type TestDb } from '../src/testing/databases.ts';
import { type OpenedService, openTestService } from '../src/testing/open-service.ts';
import { until } from '../src/testing/until.ts';
import { clock, noted, noteOf, silent } from './notes-table.ts';

const schema = { entities: [], migrations: [createOutboxAndInbox] };
const addNote = operationsOf('each')('POST /notes', {
  roles: ['anonymous'],
  input: { text: nonEmptyText },
  reply: { added: flag },
});
const caller = { role: 'anonymous', userId: null } as const;
const CLICK: Trace = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), sampled: true };
const PRIVATE = 'ada@example.org';

let test: TestDb;
let collector: Collector;
let queue: JobQueue<{ text: string }>;
let greeted: string[];
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  test = await createTestDb(schema);
  collector = await openCollector();
  const name = `traces-${randomBytes(4).toString('hex')}`;
  const url = inject('queueRedisUrl');
  queue = createQueue(name, { url, log: silent, clock });
  await queue.check();
  greeted = [];
  const worker = startWorker<{ text: string }>(name, {
    url,
    log: silent,
    clock,
    concurrency: 1,
    handlers: { greet: ({ text }) => Promise.resolve(greeted.push(text)) },
  });
  closing.push(test.drop, collector.close, queue.close, worker.stop);
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A service whose change emits an event, for which its consumer adds a job. */
const open = (
  share: number,
  { endpoint = collector.url, exportTimeoutMs = 5_000 } = {},
): Promise<OpenedService> =>
  openTestService(
    {
      name: 'identity',
      topics: [topicOf('identity')],
      ...schema,
      handlers: [on(noted, ({ data }) => queue.add('greet', data))],
      endpoints: (router) =>
        router.add(addNote, async ({ input: { text } }) => {
          if (text === PRIVATE) throw new Error(`refused ${text}`);
          await inTransaction(test.db, (tx) => emit(tx, noted, noteOf(text)));
          return { added: true };
        }),
    },
    {
      db: test.db,
      exportTimeoutMs,
      tracing: {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_TRACES_SAMPLER_ARG: String(share),
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one%20key, x-more=2',
      },
    },
  );

const add = (service: OpenedService, text: string): Promise<unknown> =>
  service.ask(addNote, { text }, { caller });

/** The names of a span and of its ancestors. */
const pathOf = (spans: readonly CollectedSpan[], span: CollectedSpan): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? pathOf(spans, parent) : [])];
};

it('K5 a request, its transaction, event, publication, consumer and job are one trace', async () => {
  const service = await open(0);
  await inTrace(CLICK, () => add(service, 'a'));
  await until('the job', () => greeted.length === 1);
  await service.stop();
  const { spans, keys } = collector;
  const ofTrace = spans.filter(({ traceId }) => traceId === CLICK.traceId);
  const last = ofTrace.find((span) => span.name === 'run greet');
  expect(last && pathOf(ofTrace, last)).toEqual([
    'run greet',
    'add greet',
    'handle identity.Noted.v1',
    'publish identity.Noted.v1',
    'transaction',
    'POST /notes',
    'POST /notes',
  ]);
  expect(ofTrace.filter(({ parentSpanId }) => parentSpanId === CLICK.spanId)).toHaveLength(1);
  expect(new Set(spans.map(({ service: from }) => from))).toEqual(new Set(['identity']));
  expect(spans.find(({ name }) => name.startsWith('handle'))?.attributes).toMatchObject({
    'cloudevents.event_type': noted.type,
    'shortlist.event.outcome': 'handled',
  });
  expect(new Set(keys)).toEqual(new Set(['one key']));
});

it('K5 a failed span has the code of its error, but not its message', async () => {
  const service = await open(1);
  await expect(add(service, PRIVATE)).rejects.toThrow();
  await service.stop();
  const failures = collector.spans.map(({ name, failure }) => [name, failure]);
  expect(failures).toContainEqual(['POST /notes', 'service.failed']);
  expect(collector.bodies.join()).not.toContain(PRIVATE);
});

it.each([
  { share: 0, recorded: false },
  { share: 1, recorded: true },
])('background work is recorded at random: $share', async ({ share, recorded }) => {
  const service = await open(share);
  await add(service, 'a');
  await until('the job', () => greeted.length === 1);
  await service.stop();
  expect(collector.spans.some(({ name }) => name === 'run greet')).toBe(recorded);
  expect(collector.bodies.length > 0).toBe(recorded);
});

describe('a collector that', () => {
  const dropped = async ({ operatorUrl }: OpenedService): Promise<number> => {
    const text = await (await fetch(`${operatorUrl}/metrics`)).text();
    return Number(/^trace_spans_dropped_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it.each([
    { state: 'is away', endpointOf: () => Promise.resolve('http://127.0.0.1:9') },
    {
      state: 'refuses spans',
      endpointOf: async () => {
        const refusing = await openCollector(400);
        closing.push(refusing.close);
        return refusing.url;
      },
    },
  ])('$state fails no request, and its spans are counted', async ({ endpointOf }) => {
    const service = await open(1, { endpoint: await endpointOf(), exportTimeoutMs: 300 });
    closing.push(service.stop);
    expect(await add(service, 'a')).toEqual({ added: true });
    await until('dropped spans', async () => (await dropped(service)) > 0);
    expect(await add(service, 'b')).toEqual({ added: true });
  });
});

it('a process loads neither OpenTelemetry without a collector nor the decompressors of Kafka before a batch needs one', async () => {
  const script = join(import.meta.dirname, 'loaded-packages.ts');
  const loaded = async (endpoint: string): Promise<string[]> => {
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    return JSON.parse(stdout) as string[];
  };
  expect(await loaded('')).toEqual([]);
  const traced = await loaded('http://127.0.0.1:9');
  expect(traced.length).toBeGreaterThan(10);
  expect(traced.filter((url) => !url.includes('@opentelemetry'))).toEqual([]);
});
