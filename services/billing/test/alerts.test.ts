import { days } from '@shortlist/contracts/durations';
import { NO_USER } from '@shortlist/contracts/api/admin-views';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { inTransaction } from '@shortlist/kit/data/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
const resolve = (alertId: string) =>
  billing.call(billingEndpoints.resolveAlert, { alertId }, billing.asAdmin);

describe('an alert', () => {
  it('is stored and emitted once for one object, though ten transactions raise it at the same time', async () => {
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

  it('is resolved by an admin once, which the audit log records', async () => {
    const userId = await billing.register();
    await raise(warning('issfr_3', { userId }));
    const { data } = await resolve('early_fraud_warning:issfr_3');
    expect(data.resolvedAt).toBe(billing.clock().toISOString());
    await billing.advance(days(1));
    expect((await resolve('early_fraud_warning:issfr_3')).data).toEqual(data);
    const entries: { action: string }[] = await billing.db.query(
      'SELECT action FROM audit_log WHERE target_id = ?',
      [userId],
    );
    expect(entries).toEqual([{ action: 'alert.resolve' }]);
    expect(await resolve('early_fraud_warning:none').catch(codeOf)).toBe('billing.alert_not_found');
  });

  it('is listed before the resolved ones, and a hundred are listed at most', async () => {
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
