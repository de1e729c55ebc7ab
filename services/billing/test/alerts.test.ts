import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { days } from '@shortlist/contracts/durations';
import { billingEndpoints, NO_USER } from '@shortlist/contracts/api/billing';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseUser } from '../src/erase-user.ts';
import { type NewAlert, raiseAlert } from '../src/alerts/raise-alert.ts';
import { type Billing, codeOf, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const warning = (objectId: string, more: Partial<NewAlert> = {}): NewAlert => ({
  kind: 'early_fraud_warning',
  objectId,
  userId: null,
  amount: 5_900,
  currency: 'usd',
  ...more,
});
const raise = (alert: NewAlert): Promise<boolean> =>
  inTransaction(billing.db, (tx) => raiseAlert(tx, alert, billing.clock));
const list = async () => (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data;
const resolve = (alertId: string, note = 'Seen') =>
  billing.call(billingEndpoints.resolveAlert, { alertId, note }, billing.asAdmin);
const reopen = (alertId: string, note = 'Seen again') =>
  billing.call(billingEndpoints.reopenAlert, { alertId, note }, billing.asAdmin);
const entriesAbout = async (userId: string): Promise<object[]> => {
  const entries = await billing.call(auditEndpoint, { targetId: userId }, billing.asAdmin);
  return entries.data.map(({ action, before, after }) => ({ action, before, after }));
};

describe('an alert', () => {
  it('is stored and emitted once per object, even if ten transactions raise it concurrently', async () => {
    const raised = await Promise.all(times(10).map(() => raise(warning('issfr_1'))));
    expect(raised.filter(Boolean)).toHaveLength(1);
    expect(await billing.emitted(NO_USER)).toEqual(['AlertRaised']);
    expect((await list()).map(({ id }) => id)).toEqual(['early_fraud_warning:issfr_1']);
  });

  it('has the user as the subject of its event if the user is known', async () => {
    const userId = await billing.register();
    await raise(warning('issfr_2', { userId, detail: 'x'.repeat(600) }));
    expect(await billing.emitted(userId)).toEqual(['AlertRaised']);
    expect(await list()).toContainEqual(expect.objectContaining({ userId, detail: 'x'.repeat(500) }));
  });

  it('is resolved with a note and opened again with another, which the audit log records', async () => {
    const userId = await billing.register();
    await raise(warning('issfr_3', { userId }));
    const alertId = 'early_fraud_warning:issfr_3';
    const resolvedAt = billing.clock().toISOString();
    expect((await resolve(alertId, 'Refunded')).data).toMatchObject({ resolvedAt, note: 'Refunded' });
    await billing.advance(days(1));
    const { data } = await reopen(alertId, 'The refund failed');
    expect(data).toMatchObject({ resolvedAt: null, note: 'The refund failed' });
    expect(await entriesAbout(userId)).toEqual([
      {
        action: 'alert.reopen',
        before: { alertId, resolvedAt },
        after: { alertId, resolvedAt: null, reason: 'The refund failed' },
      },
      {
        action: 'alert.resolve',
        before: { alertId, resolvedAt: null },
        after: { alertId, resolvedAt, reason: 'Refunded' },
      },
    ]);
  });

  it('is resolved and reopened by only one of two admins, and the other gets an error', async () => {
    const userId = await billing.register();
    await raise(warning('issfr_5', { userId }));
    const alertId = 'early_fraud_warning:issfr_5';
    expect(await reopen(alertId).catch(codeOf)).toBe('billing.alert_open');
    for (const [change, refusal] of [
      [resolve, 'billing.alert_resolved'],
      [reopen, 'billing.alert_open'],
    ] as const) {
      const notes = ['One', 'Two'];
      const results = await Promise.all(
        notes.map((note) => change(alertId, note).then(({ data }) => data.note, codeOf)),
      );
      expect(results).toContain(refusal);
      const kept = results.find((result) => result !== refusal);
      expect((await list()).find(({ id }) => id === alertId)?.note).toBe(kept);
    }
    expect(await entriesAbout(userId)).toHaveLength(2);
    expect(await resolve('early_fraud_warning:none').catch(codeOf)).toBe('billing.alert_not_found');
  });

  it('needs a one-line note for either', async () => {
    await raise(warning('issfr_6'));
    for (const change of [resolve, reopen])
      for (const note of ['', '  ', 'x'.repeat(301), 'two\nlines'])
        expect(await change('early_fraud_warning:issfr_6', note).catch(codeOf)).toBe('request.invalid');
  });

  it('stays resolved when the same cause is read again, and open when it was opened again after the cause is gone', async () => {
    await raise(warning('issfr_7'));
    const alertId = 'early_fraud_warning:issfr_7';
    const find = async () => (await list()).find(({ id }) => id === alertId);
    await resolve(alertId, 'Refunded');
    expect(await raise(warning('issfr_7'))).toBe(false);
    expect(await find()).toMatchObject({ note: 'Refunded', resolvedAt: expect.any(String) as string });
    await reopen(alertId, 'Not refunded');
    expect(await raise(warning('issfr_7'))).toBe(false);
    expect(await find()).toMatchObject({ note: 'Not refunded', resolvedAt: null });
  });

  it('loses its notes when the user is deleted, in its row and in the audit log', async () => {
    const userId = await billing.register();
    await raise(warning('issfr_8', { userId }));
    await resolve('early_fraud_warning:issfr_8', 'Spoke to Ada');
    const deletion = eventOf(userDeleted, userId, { by: 'admin', generation: 1 });
    await inTransaction(billing.db, (tx) => eraseUser(tx, deletion));
    expect((await list()).find((alert) => alert.userId === userId)?.note).toBeNull();
    expect(JSON.stringify(await entriesAbout(userId))).not.toContain('Ada');
  });

  it('is listed before resolved ones, up to a hundred in all', async () => {
    for (const index of times(101)) await raise(warning(`issfr_many_${index}`));
    const alerts = await list();
    expect(alerts).toHaveLength(100);
    expect(alerts.every(({ resolvedAt }) => resolvedAt === null)).toBe(true);
    await billing.db.query("UPDATE alerts SET resolved_at = NOW(3) WHERE object_id LIKE 'issfr_many%'");
    await raise(warning('issfr_last'));
    const isResolved = (await list()).map(({ resolvedAt }) => resolvedAt !== null);
    expect(isResolved).toEqual(isResolved.toSorted());
    expect(isResolved).toHaveLength(100);
  });

  it('is counted by kind in the metrics until it is resolved', async () => {
    await billing.db.query('DELETE FROM alerts');
    await raise(warning('issfr_4'));
    const lineOf = async (): Promise<string | undefined> =>
      (await billing.metrics.text()).split('\n').find((line) => /alerts_open.*early_fraud/.test(line));
    expect(await lineOf()).toMatch(/ 1$/);
    await resolve('early_fraud_warning:issfr_4');
    expect(await lineOf()).toMatch(/ 0$/);
  });
});

describe('a payer without an account', () => {
  const report = (...withoutAccount: string[]) =>
    billing.call(billingEndpoints.reportPayers, { withoutAccount }, asService());
  const alertOf = async (userId: string) =>
    (await list()).find((alert) => alert.kind === 'payer_without_account' && alert.userId === userId);
  const payers = async () => (await billing.call(billingEndpoints.listPayers, {}, asService())).data;

  it('is raised as an alert, and resolved when the account is there again', async () => {
    const [free, { userId, subscription }] = [await billing.register(), await billing.subscribe()];
    expect(await payers()).toContain(userId);
    expect(await payers()).not.toContain(free);
    await report(userId, free);
    await report(userId);
    expect(await alertOf(userId)).toMatchObject({ objectId: subscription, amount: 5_900, resolvedAt: null });
    expect(await alertOf(free)).toBeUndefined();
    await report();
    expect(await alertOf(userId)).not.toMatchObject({ resolvedAt: null });
  });

  it('is resolved when the subscription has ended', async () => {
    const { userId } = await billing.subscribe();
    await report(userId);
    await billing.revoke(userId);
    await report(userId);
    expect(await alertOf(userId)).not.toMatchObject({ resolvedAt: null });
    expect(await payers()).not.toContain(userId);
  });
});
