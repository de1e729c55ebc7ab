// An intruder's API keys and webhooks end when the owner of the email takes the account back.
import { emailChangeEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints, type TokenPurpose } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import {
  apiKeyRevoked,
  type EmailChangeRequested,
  emailChangeStarted,
} from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asUser, newHash, type OpenedApiKeys, openApiKeys } from './open-api-keys.ts';
import { ana } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const NOT_FOUND = { code: 'identity.api_key_not_found' };

let opened: OpenedApiKeys;
let userId = '';
beforeAll(async () => {
  opened = await openApiKeys();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const issue = async (purpose: TokenPurpose, reference?: string): Promise<string> => {
  const order = { purpose, userId, ...(reference === undefined ? {} : { reference }) };
  return (await opened.ask(identityEndpoints.issueMailedToken, order, asService())).data.token;
};
const createKey = async (): Promise<string> => {
  const hash = newHash();
  await opened.create(userId, { hash });
  return hash;
};
const createWebhook = async (): Promise<void> => {
  const order = { userId, url: 'https://intruder.example.com/', events: ['plan.changed' as const] };
  await opened.ask(webhookEndpoints.createWebhook, order, asUser(userId));
};
const listTargets = async () =>
  (await opened.ask(webhookEndpoints.listTargets, { userId }, asService())).data;
const reset = async () => {
  const input = { token: await issue('password_reset'), password: 'another sesame' };
  await opened.ask(identityEndpoints.resetPassword, input, anonymous);
};
/** An account with the address of another person, who has opened the link of the mail. */
const addForeignUser = async (): Promise<void> => {
  const account = { ...ana, email: `${uuidv7()}@people.test` };
  userId = (await opened.ask(signUpEndpoints.register, account, anonymous)).data.id;
  const token = await issue('email_verify');
  await opened.ask(signUpEndpoints.verifyEmail, { token }, anonymous);
};

it('A13 an undo lists and ends every key and webhook, whenever they were created', async () => {
  const former = await createKey();
  opened.pass(1_000);
  const change = { id: userId, email: `${uuidv7()}@intruders.test`, currentPassword: ana.password };
  await opened.ask(emailChangeEndpoints.requestEmailChange, change, asUser(userId));
  const [started] = await opened.eventsOf<EmailChangeRequested>(emailChangeStarted, userId);
  const later = await createKey();
  await createWebhook();
  const token = await issue('email_undo', started?.data.changeId);
  const before = await opened.ask(emailChangeEndpoints.checkEmailUndo, { token }, anonymous);
  expect(before.data.access).toMatchObject({
    apiKeys: [{ name: expect.any(String) as string }, {}],
    connections: [],
    webhooks: [{ name: 'intruder.example.com' }],
  });
  const undo = { token, password: 'mine again' };
  const { data } = await opened.ask(emailChangeEndpoints.undoEmailChange, undo, anonymous);
  expect(data.removed).toMatchObject({ passkeys: 0, apiKeys: 2, webhooks: 1, connections: 0 });
  expect(await listTargets()).toEqual([]);
  for (const hash of [former, later]) await expect(opened.ownerOf(hash)).rejects.toMatchObject(NOT_FOUND);
  expect(await opened.eventsOf(apiKeyRevoked, userId)).toHaveLength(2);
});

it('A12 the first password that the owner of the address sets ends the keys and webhooks of another person', async () => {
  await addForeignUser();
  const ofIntruder = await createKey();
  await createWebhook();
  await reset();
  expect(await listTargets()).toEqual([]);
  await expect(opened.ownerOf(ofIntruder)).rejects.toMatchObject(NOT_FOUND);
  const ofOwner = await createKey();
  await createWebhook();
  await reset();
  expect(await listTargets()).toHaveLength(1);
  expect(await opened.ownerOf(ofOwner)).toMatchObject({ userId });
});
