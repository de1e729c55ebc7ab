// The only file that knows @simplewebauthn/server. A challenge is bff's, used once; the relying party is the host of the pages.
import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { PasskeyOptions } from '@shortlist/contracts/api/factors';
import type {
  PasskeyCeremony,
  PasskeyRegistration,
  PasskeyResponse,
} from '@shortlist/contracts/schemas/factors';
import { createError } from '@shortlist/kit/process/errors';
import type { PasskeyRow } from './passkey.entity.ts';

/** EdDSA, ES256 and RS256, which every authenticator can. */
const ALGORITHMS = [-8, -7, -257];
/** Characters of a stored public key, whose column has no more. RSA keys of 8,192 bits are the largest that fit. */
const PUBLIC_KEY_MAX = 1_364;

const siteOf = (origin: string): { rpID: string; origin: string } => {
  const url = new URL(origin);
  return { rpID: url.hostname, origin: url.origin };
};

const transportsOf = ({ transports }: Pick<PasskeyRow, 'transports'>): string[] =>
  transports === '' ? [] : transports.split(',');

export const presentCredential = (passkey: PasskeyRow): { id: string; transports: string[] } => ({
  id: passkey.credentialId,
  transports: transportsOf(passkey),
});

type NewPasskeyInput = {
  account: { id: string; email: string };
  known: PasskeyRow[];
  challenge: string;
  origin: string;
  brand: string;
};

/** The options with which a browser creates a passkey: discoverable, and unlocked by its user. */
export const creationOptions = async ({
  account,
  known,
  challenge,
  origin,
  brand,
}: NewPasskeyInput): Promise<PasskeyOptions> => ({
  ...(await generateRegistrationOptions({
    rpName: brand,
    rpID: siteOf(origin).rpID,
    userName: account.email,
    userDisplayName: account.email,
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(presentCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })),
});

type NewCredential = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;

const refuse = (cause: unknown): never => {
  throw createError('identity.passkey_refused', { cause });
};

/** Throws for a prompt that a page of another site has shown in a frame of ours; the library reads this of assertions alone. */
const assertSameSite = ({ response: { clientDataJSON } }: PasskeyResponse): void => {
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error('the prompt was shown in a frame');
};

const assertStorable = ({ id, publicKey }: { id: string; publicKey: string }, sentId: string): void => {
  if (id !== sentId) throw new Error('the id is not that of the authenticator');
  if (publicKey.length > PUBLIC_KEY_MAX) throw new Error('the public key is too large');
};

const readRegistration = async ({
  response,
  challenge,
  origin,
}: PasskeyCeremony<PasskeyRegistration>): Promise<NewCredential> => {
  assertSameSite(response);
  const site = siteOf(origin);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (registrationInfo === undefined) throw new Error('the attestation is wrong');
  const { id, counter, ...credential } = registrationInfo.credential;
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  assertStorable({ id, publicKey }, response.id);
  const { transports = [] } = response.response;
  return { credentialId: id, publicKey, signCount: counter, transports: transports.join(',') };
};

/** The credential of a registration. Throws `identity.passkey_refused`. */
export const verifyRegistration = (ceremony: PasskeyCeremony<PasskeyRegistration>): Promise<NewCredential> =>
  readRegistration(ceremony).catch(refuse);

type Assertion = PasskeyCeremony & { passkey: PasskeyRow; requireUserVerification: boolean };

const readCounter = async (assertion: Assertion): Promise<number> => {
  const { response, challenge, origin, passkey, requireUserVerification } = assertion;
  assertSameSite(response);
  const site = siteOf(origin);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: 0, // compared with the stored one when it is stored, in one step
      transports: transportsOf(passkey),
    },
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
};

/** The counter of the authenticator after it has signed the challenge. Throws `identity.passkey_refused`. */
export const verifyAssertion = (assertion: Assertion): Promise<number> =>
  readCounter(assertion).catch(refuse);
