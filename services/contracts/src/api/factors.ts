import type { AccountFactors, ProvenAccount, Role } from './identity.ts';
import type { PasskeyCeremony, PasskeyRegistration } from '../schemas/factors.ts';
import { defineEndpoint } from './endpoint.ts';

/** The ways to prove possession: codes of an authenticator app (RFC 6238), and passkeys (WebAuthn). */
export type Factor = 'totp' | 'passkey';
export type SecondFactorMethod = 'totp' | 'recovery' | 'passkey';

export type PasskeyView = { id: string; name: string; createdAt: string; lastUsedAt: string | null };
export type FactorsView = {
  /** Null while two-step verification is off. */
  totpSince: string | null;
  recoveryCodes: { left: number; total: number };
  passkeys: PasskeyView[];
};

/** The options of a WebAuthn ceremony, as the browser takes them. */
export type PasskeyOptions = Record<string, unknown>;
/** What a user presents to prove who they are. */
export type IdentityProof =
  { password: string } | { code: string } | { recoveryCode: string } | { passkey: PasskeyCeremony };
export type ProvenIdentity = ProvenAccount & { factors: AccountFactors };

type OfUser<Input = Record<never, never>> = { userId: string } & Input;
type Message = { message: string };

/** identity's endpoints about factors. Except for `prove` and `removeFactors`, an account manages its own. */
export const factorEndpoints = {
  getFactors: defineEndpoint<OfUser, { data: FactorsView }>('GET', '/accounts/:userId/factors'),
  /** Creates a secret that counts once `confirmTotp` has seen a code of it. */
  startTotp: defineEndpoint<OfUser, { data: { secret: string; email: string } }>(
    'POST',
    '/accounts/:userId/totp',
  ),
  confirmTotp: defineEndpoint<OfUser<{ code: string }>, { data: { recoveryCodes: string[] } }>(
    'POST',
    '/accounts/:userId/totp/confirm',
  ),
  removeTotp: defineEndpoint<OfUser, Message>('DELETE', '/accounts/:userId/totp'),
  renewRecoveryCodes: defineEndpoint<OfUser, { data: { recoveryCodes: string[] } }>(
    'POST',
    '/accounts/:userId/recovery-codes',
  ),
  passkeyOptions: defineEndpoint<
    OfUser<{ challenge: string; origin: string; brand: string }>,
    { data: PasskeyOptions }
  >('POST', '/accounts/:userId/passkeys/options'),
  addPasskey: defineEndpoint<
    OfUser<{ passkey: PasskeyCeremony<PasskeyRegistration>; name: string }>,
    { data: PasskeyView }
  >('POST', '/accounts/:userId/passkeys'),
  renamePasskey: defineEndpoint<OfUser<{ passkeyId: string; name: string }>, { data: PasskeyView }>(
    'PUT',
    '/accounts/:userId/passkeys/:passkeyId',
  ),
  removePasskey: defineEndpoint<OfUser<{ passkeyId: string }>, Message>(
    'DELETE',
    '/accounts/:userId/passkeys/:passkeyId',
  ),
  /** The passkeys that a browser may offer for this account, with what the log-in needs to know. */
  listCredentials: defineEndpoint<
    OfUser,
    { data: { factors: AccountFactors; credentials: { id: string; transports: string[] }[] } }
  >('GET', '/accounts/:userId/credentials'),
  /** Verifies one proof of an account. `logIn`: the proof completes a log-in, which the audit log records for admins. */
  prove: defineEndpoint<OfUser<{ proof: IdentityProof; logIn: boolean }>, { data: ProvenIdentity }>(
    'POST',
    '/accounts/:userId/prove',
  ),
  /** Records the log-in of an account with a factor that was not required: by a device that skips the second step, or by the policy. */
  recordTrusted: defineEndpoint<OfUser, Message>('POST', '/accounts/:userId/trusted-log-ins'),
  /** The account of a passkey, which the authenticator has verified its user for. */
  logInWithPasskey: defineEndpoint<{ passkey: PasskeyCeremony; role: Role }, { data: ProvenIdentity }>(
    'POST',
    '/credentials/passkey',
  ),
  /** Support for a user who has lost every factor: an admin removes them, for a reason that the user reads. */
  removeFactors: defineEndpoint<OfUser<{ reason: string }>, Message>(
    'POST',
    '/accounts/:userId/factors/remove',
  ),
} as const;
