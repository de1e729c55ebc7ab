import { type ApiKeyCreated, apiKeyCreated } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const KEY: ApiKeyCreated = {
  keyId: uuidv7(),
  name: 'Zapier (2026)',
  scopes: ['credits:read', 'credits:charge'],
  hint: 'sl_live_4k…x7Qa',
};

const mailAbout = async (change: Partial<ApiKeyCreated> = {}) => {
  const userId = worker.addUser();
  const event = await worker.publish(apiKeyCreated, userId, { ...KEY, ...change });
  await worker.publishAgain(event, apiKeyCreated.topic);
  await worker.send(userId);
  const mails = await worker.sent(userId);
  expect(mails).toHaveLength(1);
  return mails[0];
};

describe('the email about a new API key', () => {
  it('has its name, its hint and its scopes in words, and is sent once for duplicate events', async () => {
    const mail = await mailAbout();
    expect(mail?.subject).toBe('You have a new API key');
    expect(mail?.text).toContain('Name: Zapier (2026)\nKey: sl_live_4k…x7Qa\n');
    expect(mail?.text).toContain('Permissions: read your credits and use your credits\n');
    expect(mail?.text).toContain('Created on: March 1, 2026 at 12:00 PM UTC');
  });

  it('says how to delete it, and what to do if another person created it', async () => {
    const mail = await mailAbout({ scopes: ['credits:read', 'credits:charge', 'profile:read'] });
    expect(mail?.text).toContain('read your credits, use your credits, and read your profile');
    expect(mail?.text).toContain('If you did not create this key, delete it now, change your password');
    expect(mail?.text).toContain('See your connections: https://shortlist.test/connections');
  });

  it.each(['Log in at evil.example', 'Call +1 (555) 010-0199'])(
    'I6 leaves out a name with a URL or a telephone number: %s',
    async (name) => {
      const mail = await mailAbout({ name });
      expect(mail?.text).not.toContain('Name:');
      expect(mail?.text).toContain('Key: sl_live_4k…x7Qa');
      expect(JSON.stringify(mail)).not.toContain(name);
    },
  );

  it('I6 escapes its name', async () => {
    expect((await mailAbout({ name: '<b>Zapier' }))?.html).toContain('&lt;b&gt;Zapier');
  });
});
