import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import * as identity from '@shortlist/contracts/events/identity';
import { creditsExhausted } from '@shortlist/contracts/events/credits';
import * as privacy from '@shortlist/contracts/events/identity';
import { loginLocked, newDeviceUsed } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START, openWorker, type SentMail, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const SPAM = 'Win $1000 at evil.example';
const at = START.toISOString();
const origin = { browser: 'Firefox', system: 'macOS', network: '192.0.2.0/24', place: 'Oslo' };
const accountOf = (firstName: string) => ({
  email: 'ada@people.test',
  ...exampleProfile({ firstName, lastName: SPAM, organizationName: SPAM }),
  picture: null,
  createdAt: at,
});

type Publish = (userId: string) => Promise<unknown>;
/** The emails that a user, or a person who signs up with another's email, can cause. */
const MAILS: [string, Publish][] = [
  ['welcome', (id) => worker.publish(identity.userRegistered, id, accountOf(worker.firstNameOf(id)))],
  ['verification', (id) => worker.publish(identity.emailVerificationRequested, id, { by: id })],
  ['password reset', (id) => worker.publish(identity.passwordResetRequested, id, {})],
  [
    'changed password',
    (id) => worker.publish(identity.passwordChanged, id, { by: id, generation: 1, keptSessionId: '' }),
  ],
  ['taken address', (id) => worker.publish(identity.takenEmailRequested, id, {})],
  ['second factor', (id) => worker.publish(identity.factorAdded, id, { factor: 'totp', by: id })],
  [
    'new API key',
    (id) =>
      worker.publish(identity.apiKeyCreated, id, {
        keyId: uuidv7(),
        name: SPAM,
        scopes: ['credits:read'],
        hint: 'sl_live_4k…x7Qa',
      }),
  ],
  ['new device', (id) => worker.publish(newDeviceUsed, id, origin)],
  ['slowed sign-ins', (id) => worker.publish(loginLocked, id, origin)],
  [
    'used credits',
    (id) =>
      worker.publish(creditsExhausted, id, {
        plan: 'free',
        limit: 20,
        used: 20,
        windowStart: at,
        windowEnd: at,
        available: 0,
        mail: true,
      }),
  ],
  [
    'deletion',
    (id) => worker.publish(privacy.deletionRequested, id, { deletionId: uuidv7(), dueAt: at, generation: 1 }),
  ],
];

const mailOf = async (userId: string): Promise<SentMail | undefined> => {
  await worker.send(userId);
  return (await worker.sent(userId)).at(-1);
};
const expectNoName = (mail: SentMail | undefined, name: string): void => {
  expect(mail?.text).toMatch(/^Hello,/);
  expect(mail?.html).toContain('>Hello,<');
  expect(mail?.to[0]?.name).toBeUndefined();
  expect(JSON.stringify(mail)).not.toContain(name);
};

describe('I6 the name of a user', () => {
  it.each(MAILS)(
    'is not in the email about: %s, when it reads like an advertisement',
    async (about, publish) => {
      const userId = worker.addUser(SPAM);
      if (about !== 'welcome' && about !== 'verification') worker.setVerified(userId);
      await publish(userId);
      expectNoName(await mailOf(userId), 'evil');
    },
  );

  it.each(MAILS)(
    'is in the email about: %s, to an unconfirmed address, when it is one or two words',
    async (_about, publish) => {
      const userId = worker.addUser('Beatrix');
      await publish(userId);
      const mail = await mailOf(userId);
      expect(mail?.text).toMatch(/^Hello Beatrix,/);
      expect(mail?.to[0]?.name).toBe('Beatrix');
    },
  );

  it.each(MAILS)(
    'is not in the email about: %s, to an unconfirmed address, when it says anything',
    async (_about, publish) => {
      const userId = worker.addUser('You won call Bea');
      await publish(userId);
      expectNoName(await mailOf(userId), 'won');
    },
  );

  it.each([
    ['Anna, Dr.', 'Anna Dr'],
    ['Ana "Annie"', 'Ana Annie'],
    ['Ana (HR)', 'Ana HR'],
  ])('%j is in the address header without characters that need quoting', async (name, header) => {
    const userId = worker.addUser(name);
    worker.setVerified(userId);
    await worker.publish(identity.passwordChanged, userId, { by: userId, generation: 1, keptSessionId: '' });
    expect((await mailOf(userId))?.to[0]?.name).toBe(header);
  });

  it('is in emails to a confirmed address, and must be one or two words while identity is unavailable', async () => {
    const userId = worker.addUser('J. R. Beatrix');
    worker.setVerified(userId);
    await worker.publish(identity.passwordChanged, userId, { by: userId, generation: 1, keptSessionId: '' });
    const mail = await mailOf(userId);
    expect(mail?.text).toMatch(/^Hello J\. R\. Beatrix,/);
    expect(mail?.to[0]?.name).toBe('J R Beatrix');
    const other = worker.addUser('J. R. Beatrix');
    worker.setVerified(other);
    await worker.publish(identity.passwordChanged, other, { by: other, generation: 1, keptSessionId: '' });
    worker.setIdentityDown(true);
    const second = await mailOf(other);
    worker.setIdentityDown(false);
    expectNoName(second, 'Beatrix');
  });

  it.each([
    ['the new address', identity.emailChangeRequested],
    ['the former address', identity.emailChanged],
  ])('is not in the email about a change of the address to %s', async (_where, event) => {
    const userId = worker.addUser('Beatrix');
    worker.setVerified(userId);
    const [changeId, other] = [uuidv7(), uuidv7()];
    worker.addChange(changeId, `${other}@people.test`);
    await worker.publish(event, userId, { changeId, email: 'new@people.test', version: 2 } as never);
    await worker.send(userId);
    expectNoName((await worker.sent(other)).at(-1), 'Beatrix');
  });
});

describe('I6 the name of an admin', () => {
  const changePassword = (id: string) =>
    worker.publish(identity.passwordChanged, id, { by: id, generation: 1, keptSessionId: '' });

  it.each([
    ['Ada Byron', 'Hello Ada Byron,', 'Ada Byron'],
    ['Anna, Dr.', 'Hello Anna, Dr.,', 'Anna Dr'],
    [null, 'Hello,', undefined],
    ['Win $1000 at evil.example', 'Hello,', undefined],
  ])('%j is greeted with %j, and is %j in the address header', async (name, greeting, addressed) => {
    const adminId = worker.addAdmin('support', uuidv7(), name);
    await changePassword(adminId);
    const mail = await mailOf(adminId);
    expect(mail?.text.startsWith(`${greeting}\n`)).toBe(true);
    expect(mail?.to[0]?.name).toBe(addressed);
  });
});

describe('I6 the reason of support', () => {
  it.each([
    ['Lost the phone, case 4711', 'Reason: Lost the phone, case 4711'],
    ['Log in at evil.example', 'Our support team made this change.'],
  ])('%j is emailed as %j', async (reason, text) => {
    const userId = worker.addUser();
    await worker.publish(identity.factorRemoved, userId, {
      factor: 'totp',
      by: SYSTEM_ACTOR_ID,
      reason,
      generation: 1,
    });
    const mail = await mailOf(userId);
    expect(mail?.text).toContain(text);
    expect(mail?.html).toContain(text);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });
});
