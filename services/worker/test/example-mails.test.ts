import { exampleMailEndpoints } from '@shortlist/contracts/api/email';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_LIST } from '../src/mail/example-data.ts';
import { TEMPLATE_NAMES } from '../src/mail/templates.ts';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const as = (userId: string) => ({ caller: { role: 'admin', userId } }) as const;
const listed = async () => (await worker.ask(exampleMailEndpoints.listExampleMails, {}, as('x'))).data;
const send = (userId: string, name: string) =>
  worker.ask(exampleMailEndpoints.sendExampleMail, { name }, as(userId));

describe('the examples of emails', () => {
  it('are of every template', async () => {
    const shown = new Set(EXAMPLE_LIST.map(({ template }) => template));
    expect([...shown, 'example'].toSorted()).toEqual([...TEMPLATE_NAMES].toSorted());
    expect((await listed()).map(({ name }) => name)).toEqual(EXAMPLE_LIST.map(({ name }) => name));
  });

  it('say which their readers can turn off', async () => {
    const names = (await listed()).filter(({ canTurnOff }) => canTurnOff).map(({ name }) => name);
    expect(names).toEqual(['news', 'credits_low', 'credits_low-2', 'credits_exhausted']);
  });

  it('are shown as they are sent', async () => {
    const { data } = await worker.ask(exampleMailEndpoints.getExampleMail, { name: 'credits_low' }, as('x'));
    expect(data.subject).toBe('You are running low on credits');
    expect(data.text).toContain('You have 4 of your 20 credits left');
    expect(data.html).toContain('You have 4 of your 20 credits left');
    const unknown = worker.ask(exampleMailEndpoints.getExampleMail, { name: 'credits_low-9' }, as('x'));
    await expect(unknown).rejects.toHaveProperty('code', 'worker.mail_not_found');
  });

  it('are sent to the admin who asked, marked as a test', async () => {
    const admin = worker.addAdmin('support');
    await send(admin, 'receipt');
    await worker.send(admin);
    const [mail, ...more] = await worker.sent(admin);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^\[Test\] ./);
    expect(mail?.text).toContain('QX7K2M1B-0004');
  });

  it('are not sent to an admin who was suspended meanwhile, and not under an unknown name', async () => {
    const admin = worker.addAdmin('support');
    await send(admin, 'receipt');
    worker.suspendAdmin(admin);
    await worker.send(admin);
    expect(await worker.sent(admin)).toEqual([]);
    await expect(send(admin, 'none')).rejects.toHaveProperty('code', 'worker.mail_not_found');
  });
});
