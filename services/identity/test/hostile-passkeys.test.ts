import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { factorEndpoints, type PasskeyResponse } from '@shortlist/contracts/api/factors';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { STRICT } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, rsaKey } from './authenticator.ts';
import { ana, openIdentity } from './open-identity.ts';

const origin = 'https://app.shortlist.test';
const device = createAuthenticator();

let opened: Awaited<ReturnType<typeof openIdentity>>;
let userId = '';
beforeAll(async () => {
  opened = await openIdentity();
  const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
  userId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
  await add(device.register(newCeremony()));
});
afterAll(() => opened.close());

type Ceremony = { challenge: string; origin: string };
const newCeremony = (): Ceremony => ({ challenge: randomBytes(32).toString('base64url'), origin });

/** Sends what its endpoint may not declare. */
const send = (endpoint: Endpoint<never, unknown>, role: 'anonymous' | 'user' | 'service', input: object) => {
  const caller = { role, userId: role === 'user' ? userId : null };
  return opened.identity.ask(endpoint as Endpoint<object, unknown>, input, { caller, headers: STRICT });
};
type Send = (response: object, ceremony?: Ceremony) => Promise<unknown>;
const add: Send = (response, ceremony = ceremonyOf(response)) =>
  send(factorEndpoints.addPasskey, 'user', { userId, passkey: { ...ceremony, response }, name: 'Laptop' });
const logIn: Send = (response, ceremony = ceremonyOf(response)) =>
  send(logInEndpoints.logInWithPasskey, 'anonymous', { passkey: { ...ceremony, response }, role: 'user' });
const prove: Send = (response, ceremony = ceremonyOf(response)) =>
  send(logInEndpoints.prove, 'service', {
    userId,
    proof: { passkey: { ...ceremony, response } },
  });

/** The ceremony that a response answers; any for one that cannot be read. */
const ceremonyOf = (response: object): Ceremony => {
  try {
    const { clientDataJSON } = (response as PasskeyResponse).response;
    const text = Buffer.from(clientDataJSON, 'base64url').toString();
    return { ...newCeremony(), challenge: (JSON.parse(text) as Ceremony).challenge };
  } catch {
    return newCeremony();
  }
};

const registration = () => createAuthenticator().register(newCeremony());
const assertion = () => device.assert({ ...newCeremony(), userHandle: userId });
const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const nested = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;

const within = <Whole extends PasskeyResponse>(whole: Whole, change: object): object => ({
  ...whole,
  response: { ...whole.response, ...change },
});

/** Replacements for any field: of another type, too long, or too deep. */
const VALUES: Record<string, unknown> = {
  null: null,
  'an object': { a: 1 },
  'a list': [[1]],
  'a number': -1,
  'a long text': 'A'.repeat(30_000),
  'text beyond ASCII': 'é\u{1F600}',
  'a nested list': nested,
};
const FIELDS_OF_REGISTRATION = [
  'clientDataJSON',
  'attestationObject',
  'transports',
  'authenticatorData',
  'publicKey',
  'publicKeyAlgorithm',
  'other',
];
const FIELDS_OF_ASSERTION = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'other'];
const CLIENT_DATA = ['null', '[]', '1', '{"challenge":null}', '{', `{"a":${'['.repeat(900)}`];

const refusedAs400 = expect.objectContaining({ status: 400 }) as unknown;
/** An algorithm is ignored, and a user handle may be null. */
const isAllowed = (field: string, name: string): boolean =>
  (field === 'publicKeyAlgorithm' && name === 'a number') || (field === 'userHandle' && name === 'null');

describe('a passkey that no browser sends', () => {
  it.each(FIELDS_OF_REGISTRATION)('is refused with 400 when it is added: %s', async (field) => {
    for (const [name, value] of Object.entries(VALUES))
      if (!isAllowed(field, name))
        await expect(add(within(registration(), { [field]: value })), name).rejects.toEqual(refusedAs400);
  });

  it.each(FIELDS_OF_ASSERTION)('is refused with 400 as a log-in and as a proof: %s', async (field) => {
    for (const attempt of [logIn, prove])
      for (const [name, value] of Object.entries(VALUES))
        if (!isAllowed(field, name))
          await expect(attempt(within(assertion(), { [field]: value })), name).rejects.toEqual(refusedAs400);
  });

  it.each(['id', 'rawId', 'type', 'response', 'clientExtensionResults', 'other'])(
    'is refused with 400 everywhere: %s of the credential',
    async (field) => {
      for (const [name, value] of Object.entries(VALUES)) {
        if (field === 'clientExtensionResults' && name === 'an object') continue;
        await expect(add({ ...registration(), [field]: value }), name).rejects.toEqual(refusedAs400);
        await expect(logIn({ ...assertion(), [field]: value }), name).rejects.toEqual(refusedAs400);
        await expect(prove({ ...assertion(), [field]: value }), name).rejects.toEqual(refusedAs400);
      }
    },
  );

  it.each(CLIENT_DATA)('is refused with 400 for the client data %s', async (text) => {
    const change = { clientDataJSON: base64(text) };
    await expect(add(within(registration(), change))).rejects.toEqual(refusedAs400);
    await expect(logIn(within(assertion(), change))).rejects.toEqual(refusedAs400);
    await expect(prove(within(assertion(), change))).rejects.toEqual(refusedAs400);
  });

  it('is refused with 400 for a key or an id too long for its column, and for the id of another', async () => {
    const refused = { status: 400, code: 'identity.passkey_refused' };
    const registered = (change: object) => createAuthenticator().register({ ...newCeremony(), ...change });
    await add(registered({ key: rsaKey(512) }));
    for (const change of [
      { key: rsaKey(2_048) },
      { attestedId: randomBytes(2_000) },
      { attestedId: randomBytes(32) },
    ])
      await expect(add(registered(change))).rejects.toMatchObject(refused);
  });

  it('is refused from a frame of another site', async () => {
    const refused = { status: 400, code: 'identity.passkey_refused' };
    for (const framed of [
      { crossOrigin: true },
      { crossOrigin: 'false' },
      { topOrigin: 'https://evil.test' },
    ]) {
      const ceremony = { ...newCeremony(), framed };
      await expect(add(createAuthenticator().register(ceremony))).rejects.toMatchObject(refused);
      const answer = device.assert({ ...ceremony, userHandle: userId });
      await expect(logIn(answer)).rejects.toMatchObject(refused);
      await expect(prove(answer)).rejects.toMatchObject(refused);
    }
    await logIn(assertion());
  });

  it('may have results of extensions, which are dropped', async () => {
    const clientExtensionResults = { credProps: { rk: true }, appid: false };
    await add({ ...registration(), clientExtensionResults });
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`e${index}`, true]));
    await expect(add({ ...registration(), clientExtensionResults: many })).rejects.toEqual(refusedAs400);
  });
});
