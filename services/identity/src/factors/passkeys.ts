// The only file that uses @simplewebauthn/server. bff creates each challenge for one use; the relying party is the host of the pages.
import { recordSystemChange } from '@shortlist/audit/audit-log';
import { PASSKEYS_MAX } from '@shortlist/contracts/limits';
import type {
  PasskeyCeremony,
  PasskeyOptions,
  PasskeyRegistration,
  PasskeyResponse,
} from '@shortlist/contracts/api/factors';
import { type Db, inTransaction, isDuplicate, type SharedClock } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import {
  type AuthenticationResponseJSON,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import { recordAddedFactor } from './change-factors.ts';
import {
  advanceCounter,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
} from './queries.ts';

/** EdDSA, ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];
/** The length of the column for public keys. RSA keys of 8,192 bits are the largest that fit. */
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

/** The options for creating a passkey: discoverable, with user verification. */
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

/** Throws if a page of another site showed the prompt in a frame of ours; the library checks this only for assertions. */
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
const verifyRegistration = (ceremony: PasskeyCeremony<PasskeyRegistration>): Promise<NewCredential> =>
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
      counter: 0, // compared and stored in one step
      transports: transportsOf(passkey),
    },
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
};

/** The counter of the authenticator after it has signed the challenge. Throws `identity.passkey_refused`. */
const verifyAssertion = (assertion: Assertion): Promise<number> => readCounter(assertion).catch(refuse);

type NewPasskey = {
  accountId: string;
  name: string;
  passkey: PasskeyCeremony<PasskeyRegistration>;
  caller: Caller;
};

/** Verifies a registration and stores its passkey. */
export const addPasskey = async (
  { db, clock, sharedClock }: { db: Db; clock: Clock; sharedClock: SharedClock },
  { accountId, name, passkey, caller }: NewPasskey,
): Promise<PasskeyRow> => {
  const credential = await verifyRegistration(passkey);
  return inTransaction(db, async (tx) => {
    const createdAt = await sharedClock(tx);
    const row = { ...credential, id: uuidv7(), accountId, name, createdAt, lastUsedAt: null };
    // The lock makes an account's concurrent registrations count each other.
    if ((await lockAccount(tx, accountId)) === null) throw createError('identity.user_not_found');
    if ((await listPasskeys(tx, accountId)).length >= PASSKEYS_MAX)
      throw createError('identity.passkeys_full');
    try {
      await insertPasskey(tx, row);
    } catch (cause) {
      if (isDuplicate(cause)) throw createError('identity.passkey_exists', { cause });
      throw cause;
    }
    await recordAddedFactor(tx, { accountId, factor: 'passkey', caller, clock });
    return row;
  });
};

type Use = {
  ceremony: PasskeyCeremony;
  /** The required owner of the passkey. */
  accountId: string;
  /** Whether the authenticator must verify its user, by a PIN or biometrics. */
  requireUserVerification: boolean;
};

/** The account that a discoverable passkey names: registrations store its id as the user handle. */
export const userHandleOf = ({ response: { response } }: PasskeyCeremony): string =>
  Buffer.from(response.userHandle ?? '', 'base64url').toString();

/**
 * Verifies that a passkey of the account has signed the challenge. Throws `identity.passkey_refused`; a counter that has not grown is recorded,
 * because it indicates a cloned authenticator.
 */
export const verifyPasskey = async (
  { db, clock }: { db: Db; clock: Clock },
  { ceremony, accountId, requireUserVerification }: Use,
): Promise<void> => {
  const passkey = await findPasskeyByCredential(db.manager, ceremony.response.id);
  if (passkey?.accountId !== accountId) throw createError('identity.passkey_refused');
  const signCount = await verifyAssertion({ ...ceremony, passkey, requireUserVerification });
  if (await advanceCounter(db.manager, passkey.id, { signCount, at: clock() })) return;
  const counters = { before: { signCount: passkey.signCount }, after: { signCount } };
  const entry = { action: 'factor.refuse_passkey', targetId: passkey.accountId, ...counters, clock } as const;
  await inTransaction(db, (tx) => recordSystemChange(tx, entry));
  throw createError('identity.passkey_refused');
};
