import { passwordChanged } from '@shortlist/contracts/events/identity';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { storeEvents } from '../src/mail/event-webhook.ts';
import { claimMails, settleMails } from '../src/mail/queries.ts';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  // The tests report deliveries themselves, each at its moment.
  worker = await openWorker({ hasEvents: false });
});
afterEach(() => worker.control('DELETE', '/faults'));
afterAll(() => worker.close());

type StoredMail = { userId: string; id: string };

/** An email that waits to be sent. */
const storeMail = async (): Promise<StoredMail> => {
  const userId = worker.addUser();
  await worker.publish(passwordChanged, userId, { by: userId, generation: 1, keptSessionId: '' });
  const [row] = await worker.rows(userId);
  return { userId, id: row?.id ?? '' };
};

/** The provider sends the next emails, and its responses are lost. */
const loseResponses = (times: number) => worker.fault({ reset: true, times });

const report = ({ userId, id }: StoredMail, kind: string): Promise<void> => {
  const event = { kind, type: '', reason: '', email: `${userId}@people.test`, mailId: id, at: START };
  return storeEvents(worker.db, [event], () => undefined);
};

/** Lets a sender look for the email once more. */
const expectSentOnce = async ({ userId }: StoredMail): Promise<void> => {
  await worker.send(userId);
  expect(await worker.sent(userId)).toHaveLength(1);
  expect(await worker.rows(userId)).toMatchObject([{ status: 'sent' }]);
};

it('I1: an email whose response was lost is marked uncertain and sent only once more', async () => {
  const { userId } = await storeMail();
  await loseResponses(5);
  for (const _ of Array(6).keys()) await worker.send(userId);
  expect(await worker.sent(userId)).toHaveLength(2);
  expect(await worker.rows(userId)).toMatchObject([{ status: 'failed', uncertain: 1, attempts: 2 }]);
});

it.each(['delivered', 'deferred', 'bounce'])(
  'I1: an email whose response was lost is not sent again if the provider reports it: %s',
  async (kind) => {
    const mail = await storeMail();
    await loseResponses(1);
    await worker.send(mail.userId);
    await report(mail, kind);
    await expectSentOnce(mail);
  },
);

it('I1: nor if the provider reports it before its sender stops waiting for the response', async () => {
  const mail = await storeMail();
  await loseResponses(1);
  await worker.makeDue(mail.userId);
  const [claimed] = (await claimMails(worker.db)).mails;
  const content = { subject: 'Hello', text: 'Hello', html: 'Hello' };
  const options = { mailId: mail.id, despiteComplaint: false, unsubscribeLink: null };
  const to = { email: `${mail.userId}@people.test`, firstName: 'Ada' };
  expect(await worker.provider(content, to, options)).toMatchObject({ outcome: 'unknown' });
  await report(mail, 'delivered');
  const attempt = { ids: [mail.id], attempts: claimed?.attempts ?? 0 };
  await settleMails(worker.db.manager, attempt, { status: 'pending', uncertain: true });
  await expectSentOnce(mail);
});

it('I1: nor if its sender dies, and the provider reports it', async () => {
  const mail = await storeMail();
  await worker.db.query("UPDATE mails SET status = 'sending', changed_at = NOW(3) WHERE id = ?", [mail.id]);
  await report(mail, 'delivered');
  await worker.age(26);
  await worker.sweep();
  await worker.send(mail.userId);
  expect(await worker.sent(mail.userId)).toEqual([]);
  expect(await worker.rows(mail.userId)).toMatchObject([{ status: 'sent' }]);
});

it('an email that was given up is sent once the provider reports it', async () => {
  const mail = await storeMail();
  await loseResponses(2);
  for (const _ of Array(2).keys()) await worker.send(mail.userId);
  expect(await worker.rows(mail.userId)).toMatchObject([{ status: 'failed' }]);
  await report(mail, 'delivered');
  expect(await worker.rows(mail.userId)).toMatchObject([{ status: 'sent' }]);
});
