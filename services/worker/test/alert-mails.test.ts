import { ALERT_KINDS, NO_USER } from '@shortlist/contracts/api/billing';
import { alertRaised, type AlertRaised } from '@shortlist/contracts/events/billing';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMail } from '../src/mail/templates.ts';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const alert: AlertRaised = {
  alertId: 'dispute_opened:dp_1',
  kind: 'dispute_opened',
  amount: 5_900,
  currency: 'usd',
  detail: 'The reason given is fraudulent.',
};

const mailOf = async (userId: string) => {
  await worker.send(userId);
  const [mail, ...more] = await worker.sent(userId);
  expect(more).toEqual([]);
  return mail;
};

describe('an alert', () => {
  it('D6 is not emailed to a suspended admin, even if suspended after the event', async () => {
    const [before, between] = [worker.addAdmin(), worker.addAdmin()];
    worker.suspendAdmin(before);
    await worker.publish(alertRaised, NO_USER, { ...alert, alertId: 'dispute_opened:dp_suspended' });
    worker.suspendAdmin(between);
    for (const admin of [before, between]) {
      await worker.send(admin);
      expect(await worker.sent(admin)).toEqual([]);
      worker.removeAdmin(admin);
    }
  });

  it('is emailed once to every admin', async () => {
    const admins = [worker.addAdmin(), worker.addAdmin()];
    const event = await worker.publish(alertRaised, NO_USER, alert);
    await worker.publishAgain(event, alertRaised.topic);
    for (const admin of admins) {
      const mail = await mailOf(admin);
      expect(mail).toMatchObject({ subject: 'A payment was disputed' });
      expect(mail?.text).toContain('a payment of $59.00 with their bank');
      expect(mail?.text).toContain('The reason given is fraudulent.');
      expect(mail?.text).toContain('Stripe reference: dp_1');
      expect(mail?.text).toContain('https://shortlist.test/admin/system');
    }
  });

  it('is not emailed to a former admin', async () => {
    const admin = worker.addAdmin();
    await worker.publish(alertRaised, NO_USER, { ...alert, alertId: 'dispute_opened:dp_2' });
    worker.removeAdmin(admin);
    await worker.send(admin);
    expect(await worker.rows(admin)).toMatchObject([{ status: 'skipped' }]);
    expect(await worker.sent(admin)).toEqual([]);
  });

  it('is emailed once identity is available again', async () => {
    const admin = worker.addAdmin();
    worker.setIdentityDown(true);
    const published = worker.publish(alertRaised, NO_USER, { ...alert, alertId: 'dispute_opened:dp_3' });
    await until('a refusal', () => Promise.resolve(worker.identityRefusals() > 0));
    worker.setIdentityDown(false);
    await published;
    await until('the mail', async () => (await worker.rows(admin)).length === 1);
    expect((await mailOf(admin))?.text).toContain('dp_3');
  });

  it.each(ALERT_KINDS)('of kind %s has a subject and a text, with and without an amount', (kind) => {
    const recipient = { email: 'olga@shortlist.test', firstName: '' };
    const context = { recipient, brand: 'Shortlist', publicUrl: 'https://shortlist.test' };
    const data = { kind, objectId: 'x_1', amount: '5900', currency: 'usd', detail: '' };
    const content = writeMail('alert', { ...context, data });
    expect(content.text).toContain(' of $59.00');
    expect(content.subject).not.toBe('');
    const withoutAmount = writeMail('alert', { ...context, data: { ...data, amount: '', currency: '' } });
    expect(withoutAmount.text).not.toContain('$');
  });
});
