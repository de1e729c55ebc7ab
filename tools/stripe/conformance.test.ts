import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../deploy/sandbox/test/published.ts';
import { connectAccount } from './account-world.ts';
import { compare } from './compare.ts';
import { record, type Recording } from './recording.ts';
import { connectSandbox, startSandbox } from './sandbox-world.ts';
import { SCENARIOS } from './scenarios.ts';
import { NotPossible } from './world.ts';

type Run = { recordings: Recording[]; raw: unknown[] };

const close: (() => Promise<void>)[] = [];

const runAll = async (): Promise<Run> => {
  const sandbox = await startSandbox();
  close.push(sandbox.close);
  const run: Run = { recordings: [], raw: [] };
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const { recording, raw } = await record(sandbox.provider, name, scenario);
    run.recordings.push(recording);
    run.raw.push(...raw);
  }
  return run;
};

let one: Run;
let other: Run;
beforeAll(async () => {
  [one, other] = await Promise.all([runAll(), runAll()]);
});
afterAll(async () => {
  for (const stop of close) await stop();
});

/** All values below a value, with their keys. */
const valuesIn = (value: unknown, key = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => valuesIn(part, name))
    : [[key, value]];

type Reply = { object?: string; data?: Reply[] | { object: Reply } };

/** The objects of replies, in lists and events too. */
const objectsOf = (reply: Reply): { object: string }[] => {
  const { object, data } = reply;
  if (object === 'list' && Array.isArray(data)) return data.flatMap(objectsOf);
  if (object === 'event' && data && 'object' in data) return objectsOf(data.object);
  return object === undefined ? [] : [{ ...reply, object }];
};

describe('25 scenarios against two sandboxes', () => {
  it('are all played to their ends, with events', () => {
    expect(one.recordings).toHaveLength(25);
    expect(one.recordings.flatMap(({ failed, notPossible }) => failed ?? notPossible ?? [])).toEqual([]);
    expect(one.recordings.filter(({ events }) => Object.keys(events).length === 0)).toEqual([]);
  });

  it('make recordings without a difference', () => {
    expect(compare(one.recordings, other.recordings)).toEqual({ differences: [], notCompared: [] });
  });

  it('leave no id, time, url or secret in a recording', () => {
    const isTelling = (key: string, value: unknown): boolean =>
      /^(id|client_secret|charge|customer|invoice|subscription)$/.test(key) ||
      (typeof value === 'number' && value > 1e9) ||
      String(value).startsWith('http');
    const telling = one.raw
      .flatMap((reply) => valuesIn(reply))
      .filter(([key, value]) => value !== null && isTelling(key, value))
      .map(([, value]) => String(value));
    expect(new Set(telling).size).toBeGreaterThan(500);
    const recorded = JSON.stringify(one.recordings);
    expect([...new Set(telling)].filter((value) => recorded.includes(value))).toEqual([]);
    expect(recorded).not.toMatch(/https?:|whsec_|sk_test|_secret_/);
  });

  it('see objects as Stripe publishes them', () => {
    expect(problemsOf((one.raw as Reply[]).flatMap(objectsOf))).toEqual([]);
  });
});

describe('a comparison', () => {
  const changed = (scenario: string, change: (recording: Recording) => void): Recording[] => {
    const copy = structuredClone(one.recordings);
    change(copy.find((recording) => recording.scenario === scenario) as Recording);
    return copy;
  };

  it('names a difference by scenario, call and path', () => {
    const recordings = changed('refunds-in-part-and-in-full', ({ calls, events }) => {
      const refund = calls.find(({ call }) => call === 'POST /v1/refunds')?.reply as { amount: number };
      refund.amount = 999;
      delete events['charge.refunded'];
    });
    const { differences } = compare(one.recordings, recordings);
    expect(differences).toEqual([
      'refunds-in-part-and-in-full 3 POST /v1/refunds.reply.amount: 1000 | 999',
      expect.stringMatching(/^refunds-in-part-and-in-full event charge\.refunded\.0: \{.* \| absent$/),
      expect.stringMatching(/^refunds-in-part-and-in-full event charge\.refunded\.1: \{.* \| absent$/),
    ]);
  });

  it('names a scenario that one of the two cannot play, and compares what came before', () => {
    const reason = "Checkout's page is paid in a browser.";
    const recordings = changed('checkout-paid', (recording) => {
      recording.notPossible = reason;
      recording.calls.splice(4);
      (recording.calls[2] as { status: number }).status = 402;
    }).filter(({ scenario }) => scenario !== 'tax');
    expect(compare(one.recordings, recordings)).toEqual({
      differences: ['checkout-paid 3 POST /v1/checkout/sessions.status: 200 | 402'],
      notCompared: [`checkout-paid: ${reason}`, 'tax is only in one of the two'],
    });
  });

  it('tells what a real account cannot do by API', async () => {
    const sandbox = await startSandbox();
    close.push(sandbox.close);
    const { recording } = await record(sandbox.provider, 'one', () => Promise.reject(new NotPossible('No.')));
    expect(recording).toEqual({ scenario: 'one', notPossible: 'No.', calls: [], events: {} });
  });
});

it('refuses a live key', () => {
  for (const key of ['sk_live_1', 'rk_live_1'])
    expect(() => connectAccount({ key })).toThrow('A live key is refused');
});

it('refuses a sandbox with customers, which it would empty', async () => {
  const { provider, close: stop } = await startSandbox();
  close.push(stop);
  const { actions } = await provider.open();
  await actions.addCustomer();
  await expect(connectSandbox(provider.access as { key: string; base: string })).rejects.toThrow(
    'has customers',
  );
});
