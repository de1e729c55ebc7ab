import { subscriptionChanged } from '@shortlist/contracts/events/billing';
import { minutes, monthsAfter } from '@shortlist/contracts/durations';
import { keepRows } from '@shortlist/kit/testing/databases';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { restorePlans } from '../src/plans/restore-plans.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** A broker that has lost the topics, in which nothing is left. */
const EMPTY = { readAll: () => Promise.resolve() };

const restore = async (bus: object = {}): Promise<string[]> => {
  const lines: string[] = [];
  await restorePlans({
    db: billing.db,
    clock: billing.clock,
    since: new Date(0),
    bus: { ...billing.bus, ...bus },
    print: (line) => lines.push(line),
  });
  return lines;
};

/** Two users, one of them with a grant that the database loses. */
const setBack = async () => {
  const [known, granted] = [await billing.register(), await billing.register()];
  await billing.grant(known);
  await billing.emitted(known); // is published
  const putBack = await keepRows(billing.db, ['subscribers', 'outbox']);
  await billing.advance(minutes(1));
  await billing.grant(granted, { until: monthsAfter(billing.clock(), 6).toISOString() });
  await billing.emitted(granted);
  const { version, granted: coverage } = await billing.stateOf(granted);
  await putBack();
  await billing.advance(minutes(1));
  return { known, granted, coverage, lost: version };
};

it('a grant that was lost is there again, newer than its event, and nobody else is stated again', async () => {
  const { known, granted, coverage, lost } = await setBack();
  const before = await billing.stateOf(known);
  const report = await restore();
  expect(report).toContainEqual(expect.stringMatching(`^${granted}\tgranted until `));
  const after = await billing.stateOf(granted);
  expect(after).toMatchObject({ plan: 'premium', granted: coverage });
  expect(after.granted).toMatchObject({ months: 6 });
  expect(after.version).toBeGreaterThan(lost);
  expect(await billing.stateOf(known)).toEqual(before);
  expect((await restore())[0], 'a repeated run changes nothing').toMatch(/^0 of 2 plans/);
});

it('a topic that is lost has every plan stated again, newer than any copy', async () => {
  const { known, granted, lost } = await setBack();
  const gone = await billing.register();
  await billing.remove(gone);
  const report = await restore(EMPTY);
  expect(report).toContainEqual(expect.stringContaining('All 3 plans are stated again'));
  const [stated] = (await billing.emittedData(granted, subscriptionChanged)).slice(-1);
  expect(stated?.planState).toMatchObject({ paid: null, granted: null });
  expect(stated?.planState.version).toBeGreaterThan(lost);
  const [kept] = (await billing.emittedData(known, subscriptionChanged)).slice(-1);
  expect(kept?.planState.granted).toEqual((await billing.stateOf(known)).granted);
  expect(await billing.emitted(gone), 'a deleted user has no plan').toEqual([]);
});

it('a topic that begins after the instant of the database counts as lost', async () => {
  const { granted } = await setBack();
  const later = billing.bus.published('billing.events').slice(1);
  const report = await restore({
    readAll: async (topic: string, onMessage: (message: unknown) => unknown) => {
      for (const message of topic === 'billing.events' ? later : []) await onMessage(message);
    },
  });
  expect(report).toContainEqual(expect.stringMatching(`^${granted}\tgranted until `));
  expect(report).toContainEqual(expect.stringContaining('plans are stated again'));
});
