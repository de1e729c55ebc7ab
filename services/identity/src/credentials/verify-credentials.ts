import type { Role } from '@shortlist/contracts/api/identity';
import type { IdentityProof, ProvenIdentity } from '@shortlist/contracts/api/authentication';
import { normalPassword } from '@shortlist/contracts/password.rules';
import type { Db, SharedClock } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Request, Response } from 'express';
import { Passport } from 'passport';
import { Strategy } from 'passport-local';
import { findDeletion } from '../accounts/deletion-queries.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByEmail,
  presentAccount,
  renewPasswordHash,
} from '../accounts/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { verifyPasskey } from '../factors/passkeys.ts';
import { accountFactors } from '../factors/queries.ts';
import { verifyRecoveryCode } from '../factors/recovery-codes.ts';
import { verifyTotp } from '../factors/totp.ts';
import type { Hasher } from '../passwords.ts';
import { currentPasswordWrong } from './change-password.ts';

/** `signal`: aborted if the client disconnects. */
type Credentials = { email: string; password: string; role: Role; signal?: AbortSignal };
type Parts = { db: Db; hasher: Hasher; log: Log };

// A failed renewal must not fail the login.
const renewHash = async (
  { db, hasher, log }: Parts,
  account: AccountRow,
  password: string,
): Promise<void> => {
  try {
    await renewPasswordHash(db.manager, account, await hasher.hash(password));
  } catch (error) {
    log.warn({ err: error, userId: account.id }, 'password hash not renewed');
  }
};

type Check = 'correct' | 'correct as given' | 'wrong';

/**
 * Compares a password with a hash, first in normal form, then as given, like older hashes. How many hashes are computed for a wrong password
 * depends only on the password, not on the account.
 */
const checkPassword = async (
  hasher: Hasher,
  passwordHash: string,
  { password, signal }: Pick<Credentials, 'password' | 'signal'>,
): Promise<Check> => {
  const normal = normalPassword(password);
  if (await hasher.verify(passwordHash, normal, signal)) return 'correct';
  if (normal === password || !(await hasher.verify(passwordHash, password, signal))) return 'wrong';
  return 'correct as given';
};

/** Throws `identity.current_password_wrong` unless this is the account's password. */
export const assertCurrentPassword = async (
  hasher: Hasher,
  { passwordHash }: Pick<AccountRow, 'passwordHash'>,
  { password, signal }: { password: string | undefined; signal: AbortSignal },
): Promise<void> => {
  const isCorrect =
    password !== undefined && (await checkPassword(hasher, passwordHash, { password, signal })) !== 'wrong';
  if (!isCorrect) throw currentPasswordWrong();
};

/** The account with these credentials. Throws `identity.credentials_wrong` both for an unknown email and for a wrong password. */
export const verifyCredentials = async (parts: Parts, credentials: Credentials): Promise<AccountRow> => {
  const { db, hasher } = parts;
  const { email, password, role } = credentials;
  const account = await findAccountByEmail(db.manager, email, role);
  const check = await checkPassword(hasher, account?.passwordHash ?? hasher.dummyHash, credentials);
  if (account === null || check === 'wrong') throw createError('identity.credentials_wrong');
  const isOutdated = check === 'correct as given' || hasher.isWeak(account.passwordHash);
  if (isOutdated) await renewHash(parts, account, password);
  return account;
};

type Authenticate = (request: Request, response: Response) => Promise<AccountRow>;

/** Runs `verify` as a passport-local strategy. Sessions are bff's, not passport's. */
export const createAuthenticate = (
  verify: (credentials: Credentials) => Promise<AccountRow>,
): Authenticate => {
  const passport = new Passport();
  passport.use(
    new Strategy(
      { usernameField: 'email', passReqToCallback: true, session: false },
      (request, email, password, done) => {
        const { role } = request.body as { role: Role }; // validated by the endpoint
        const dropping = request.res === undefined ? {} : { signal: closedSignal(request.res) };
        verify({ email, password, role, ...dropping }).then(
          (account) => done(null, account),
          (error: unknown) => done(error),
        );
      },
    ),
  );
  return (request, response) =>
    new Promise((resolve, reject) => {
      const settle = (error: Error | null, account?: AccountRow | false): void => {
        if (error) reject(error);
        else if (account) resolve(account);
        else reject(createError('identity.credentials_wrong'));
      };
      const authenticate = passport.authenticate('local', { session: false }, settle) as (
        request: Request,
        response: Response,
        next: (error: unknown) => void,
      ) => void;
      authenticate(request, response, reject);
    });
};

type ProofParts = { db: Db; hasher: Hasher; keys: FactorKeys; clock: Clock; sharedClock: SharedClock };

/** Verifies one proof of an account: its password, a code, a recovery code or a passkey. Throws the error of that proof. */
export const proveIdentity = async (
  parts: ProofParts,
  accountId: string,
  { proof, signal }: { proof: IdentityProof; signal: AbortSignal },
): Promise<AccountRow> => {
  const { db, hasher } = parts;
  const account = await findAccount(db.manager, accountId);
  if (account === null) throw createError('identity.user_not_found');
  if ('password' in proof) await assertCurrentPassword(hasher, account, { password: proof.password, signal });
  else if ('code' in proof) await verifyTotp(db.manager, { accountId, code: proof.code }, parts);
  else if ('recoveryCode' in proof)
    await verifyRecoveryCode(db, { accountId, code: proof.recoveryCode }, parts);
  // Together with a password, a security key without a PIN is enough.
  else await verifyPasskey(parts, { ceremony: proof.passkey, accountId, requireUserVerification: false });
  return account;
};

/** An account whose credentials were right, with its factors. Throws `identity.suspended`, which only the right credentials reveal. */
export const presentProven = async ({ db }: { db: Db }, account: AccountRow): Promise<ProvenIdentity> => {
  const presented = presentAccount(account);
  if (presented.admin?.role === null) throw createError('identity.suspended');
  const deletion = await findDeletion(db.manager, account.id);
  return {
    ...presented,
    generation: account.generation,
    ...(deletion === null ? {} : { deletionDueAt: deletion.dueAt.toISOString() }),
    factors: await accountFactors(db.manager, account),
  };
};
