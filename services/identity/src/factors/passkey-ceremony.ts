// The only file that knows @simplewebauthn/server. A challenge is bff's, used once; the relying party is the host of the pages.
import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PasskeyOptions } from '@shortlist/contracts/api/factors';
import type { PasskeyCeremony } from '@shortlist/contracts/schemas/factors';
import { createError } from '@shortlist/kit/process/errors';
import type { PasskeyRow } from './passkey.entity.ts';

/** EdDSA, ES256 and RS256, which every authenticator can. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS_MAX = 8;

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

const refuse = (cause?: unknown): never => {
  throw createError('identity.passkey_refused', { cause });
};

const KNOWN_TRANSPORT = /^[a-z-]{1,20}$/;

/** The credential of a registration. Throws `identity.passkey_refused`. */
export const verifyRegistration = async ({
  response,
  challenge,
  origin,
}: PasskeyCeremony): Promise<NewCredential> => {
  const site = siteOf(origin);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON, // the library validates its structure
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (registrationInfo === undefined) return refuse();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  const known = [...transports].filter((name) => KNOWN_TRANSPORT.test(name)).slice(0, TRANSPORTS_MAX);
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    signCount: counter,
    transports: known.join(','),
  };
};

type Assertion = PasskeyCeremony & { passkey: PasskeyRow; requireUserVerification: boolean };

/** The counter of the authenticator after it has signed the challenge. Throws `identity.passkey_refused`. */
export const verifyAssertion = async ({
  response,
  challenge,
  origin,
  passkey,
  requireUserVerification,
}: Assertion): Promise<number> => {
  const site = siteOf(origin);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON, // the library validates its structure
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
  }).catch(refuse);
  return verified ? authenticationInfo.newCounter : refuse();
};
