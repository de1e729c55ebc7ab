import { type AccountFactors, factorEndpoints } from '@shortlist/contracts/api/factors';
import {
  type IdentityProof,
  logInEndpoints,
  type ProvenAccount,
  type ProvenIdentity,
  type SecondFactorProof,
  type SecondStepReply,
  type UserLogIn,
} from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { errorMessageWithTries } from '@shortlist/contracts/errors';
import { type LoginInput, loginSchema } from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validation';
import { asService } from '@shortlist/kit/http/http-client';
import { closedSignal } from '@shortlist/kit/http/respond';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { endUnderWay } from '../handlers/devices.ts';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import { originOf } from '../http/sign-in-origin.ts';
import { networkOf } from '../limits/attempt-limit.ts';
import type { Limits } from '../limits/limits.ts';
import { LOCKING_FAILURE } from '../limits/login-limits.ts';
import { promptOptions, type ProofKind } from '../proofs/proofs.ts';
import { secondStepOf, type StoredFirstStep } from '../proofs/second-step.ts';
import type { SessionRole } from '../session/session.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS } from '../services.ts';
import {
  completeAdminLogIn,
  completeLogIn,
  completeUserLogIn,
  type LogInParts,
  type Proven,
  recordFailedSignIn,
} from './begin-session.ts';

type Parts = LogInParts & { limits: Limits };

// Validated in the handler: the response to an invalid log-in has an error code of its own (docs/product.md).
const parseLogin = (input: unknown): LoginInput => {
  const { value, fields } = validate(loginSchema, input, { unknown: 'refuse' });
  if (fields !== null) throw createError('identity.login_invalid', { fields });
  return value;
};

/** A client that leaves before the response may have had its password compared. */
const COUNTED = new Set<string>(['identity.credentials_wrong', 'request.aborted']);

type Verified = { data: ProvenAccount; factors: AccountFactors };

type LogInExchange = Pick<Exchange, 'request' | 'response' | 'address'>;

/** The account of these credentials. Wrong ones count against the account or the device, and against the client's network. */
const verifyCredentials = async (
  parts: Parts,
  login: LoginInput & { role: SessionRole },
  exchange: LogInExchange,
): Promise<Verified> => {
  const { services, limits, deviceCookie } = parts;
  const { request, response, address } = exchange;
  const { email, role } = login;
  const attempt = { email, address, device: await deviceCookie.find(request, email) };
  const failures = await limits.logIn.consume(attempt);
  try {
    return await services.identity(logInEndpoints.verifyCredentials, login, {
      caller: ANONYMOUS,
      signal: closedSignal(response),
    });
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === null || !COUNTED.has(code)) await limits.logIn.refund(attempt);
    if (code === 'identity.credentials_wrong') {
      const isLocking = failures === LOCKING_FAILURE;
      recordFailedSignIn(parts, exchange, { email, role, method: 'password', isLocking });
    }
    throw error;
  }
};

type FirstStep<Reply> = {
  role: SessionRole;
  exchange: LogInExchange;
  complete: (parts: LogInParts, exchange: LogInExchange, proven: Proven) => Promise<Reply>;
};

/**
 * Verifies the password, and completes the log-in or returns the ticket of its second step. Failures of the account are cleared
 * when the log-in is complete, not when its password was right.
 */
const takeFirstStep = async <Reply>(
  parts: Parts,
  input: unknown,
  { role, exchange, complete }: FirstStep<Reply>,
): Promise<Reply | SecondStepReply> => {
  const { limits, deviceCookie, proofs } = parts;
  const { request, address } = exchange;
  const login = parseLogin(input);
  const { email } = login;
  const { data, factors } = await verifyCredentials(parts, { ...login, role }, exchange);
  const { fingerprint } = factors;
  const methods = secondStepOf({ role, factors }, proofs.adminTwoStep);
  const isTrusted = await proofs.trustedDevices.isTrusted(request, { userId: data.id, fingerprint });
  if (methods.length > 0 && !isTrusted) {
    const ticket = await proofs.tickets.issue({ userId: data.id, email, role, methods, fingerprint });
    return { message: 'second factor', data: { ticket, methods } };
  }
  await limits.logIn.succeeded({ email, address, device: await deviceCookie.find(request, email) });
  return complete(parts, exchange, { ...data, email, factors, method: 'password' });
};

/** Logs in the user who has just signed up with this password. The limits of sign-ups count, not those of log-ins. */
export const logInNewUser = async (
  parts: LogInParts,
  exchange: LogInExchange,
  credentials: LoginInput,
): Promise<UserLogIn['data']> => {
  const { data, factors } = await parts.services.identity(
    logInEndpoints.verifyCredentials,
    { ...credentials, role: 'user' },
    { caller: ANONYMOUS, timeoutMs: HASH_TIMEOUT_MS, signal: closedSignal(exchange.response) },
  );
  const proven = { ...data, email: credentials.email, factors, method: 'password' } as const;
  return (await completeUserLogIn(parts, exchange, proven)).data;
};

export const passwordLogInEndpoints = (parts: Parts): Route[] => {
  const { sessions, xsrf, binding } = parts;
  return [
    composed(publicEndpoints.login, ({ input, ...exchange }) =>
      takeFirstStep(parts, input, { role: 'user', exchange, complete: completeUserLogIn }),
    ),

    composed(publicEndpoints.adminLogin, ({ input, ...exchange }) =>
      takeFirstStep(parts, input, { role: 'admin', exchange, complete: completeAdminLogIn }),
    ),

    composed(publicEndpoints.logout, async ({ request, response, caller, token, session }) => {
      if (token !== null && session !== null) {
        await sessions.end(token);
        await endUnderWay(parts, { caller, sessionId: session.id });
        // An admin's viewing has no cookie of its own.
        if (session.viewerId === null) binding.remove({ request, response }, session.role);
      }
      xsrf.renew({ request, response }, { ended: token });
      return { message: 'logout' };
    }),
  ];
};

const METHODS = { code: 'totp', recoveryCode: 'recovery', passkey: 'passkey' } as const;
const SIGN_IN_METHODS = { code: 'code', recoveryCode: 'recovery_code', passkey: 'passkey' } as const;
const purposeOf = (ticket: string): string => `second step ${ticket}`;

const kindOf = (proof: SecondFactorProof): keyof typeof METHODS => {
  if ('code' in proof) return 'code';
  return 'recoveryCode' in proof ? 'recoveryCode' : 'passkey';
};

const WRONG = new Set<string>([
  'identity.code_wrong',
  'identity.recovery_code_wrong',
  'identity.passkey_refused',
]);

const isWrong = (error: unknown): error is AppError => error instanceof AppError && WRONG.has(error.code);

/** The error of a wrong proof says how many tries are left; the last one ends the log-in. */
const withTries = (error: unknown, kind: ProofKind, left: number): unknown => {
  if (!isWrong(error)) return error;
  if (left === 0) return createError('session.second_step_ended', { cause: error });
  const fields = { [kind]: errorMessageWithTries(error.code, left) };
  return createError(error.code, { cause: error, fields });
};

type Try = {
  ticket: string;
  step: StoredFirstStep;
  proof: SecondFactorProof;
  exchange: Pick<Exchange, 'request' | 'address'>;
};

const verifySecondFactor = async (
  parts: Parts,
  { ticket, step, proof, exchange }: Try,
): Promise<ProvenIdentity> => {
  const { services, proofs, deviceCookie } = parts;
  const { tickets, challenges, proofLimits } = proofs;
  const { userId } = step;
  const { request, address } = exchange;
  const kind = kindOf(proof);
  const client = await deviceCookie.find(request, step.email);
  let left = 0;
  const verify = async (): Promise<ProvenIdentity> => {
    left = await tickets.countTry(ticket);
    const identityProof: IdentityProof =
      'passkey' in proof ? { passkey: await challenges.redeem(purposeOf(ticket), proof.passkey) } : proof;
    const input = { userId, proof: identityProof };
    return (await services.identity(logInEndpoints.prove, input, asService())).data;
  };
  try {
    return await proofLimits.count({ userId, kind, client, address }, verify);
  } catch (error) {
    if (isWrong(error))
      recordFailedSignIn(parts, exchange, { id: userId, method: SIGN_IN_METHODS[kind], isLocking: false });
    throw withTries(error, kind, left);
  }
};

/** The second step of a log-in, for users and admins alike. */
export const secondStepEndpoints = (parts: Parts): Route[] => {
  const { services, limits, deviceCookie, proofs } = parts;
  const { tickets, challenges, trustedDevices, rpId } = proofs;
  return [
    composed(
      publicEndpoints.secondFactor,
      async ({ input: { ticket, remember = false, ...proof }, ...exchange }) => {
        const { address } = exchange;
        const step = await tickets.read(ticket);
        if (!step.methods.includes(METHODS[kindOf(proof)])) throw createError('request.invalid');
        const proven = await verifySecondFactor(parts, { ticket, step, proof, exchange });
        await tickets.close(ticket);
        const { id, factors } = proven;
        if (factors.fingerprint !== step.fingerprint) throw createError('session.second_step_ended');
        const device = await deviceCookie.find(exchange.request, step.email);
        await limits.logIn.succeeded({ email: step.email, address, device });
        if (remember) {
          const account = { userId: id, fingerprint: factors.fingerprint };
          await trustedDevices.trust(exchange, account, originOf(parts.findPlace, exchange));
        }
        const method = SIGN_IN_METHODS[kindOf(proof)];
        return completeLogIn(parts, exchange, { ...proven, method });
      },
    ),

    composed(publicEndpoints.secondFactorPasskey, async ({ input: { ticket } }) => {
      const { userId } = await tickets.read(ticket);
      const { data } = await services.identity(factorEndpoints.listCredentials, { userId }, asService());
      const challenge = await challenges.issue(purposeOf(ticket));
      return { data: promptOptions({ challenge, rpId, credentials: data.credentials }) };
    }),
  ];
};

const PURPOSE = 'log in';

/** Log-in without a password: the passkey names its account, and its authenticator has verified the user. */
export const passkeyLogInEndpoints = (parts: Parts): Route[] => {
  const { services, proofs, limits } = parts;
  return [
    composed(publicEndpoints.passkeyLogInOptions, async ({ address }) => {
      await limits.passkeyLogIn.consume(networkOf(address));
      const challenge = await proofs.challenges.issue(PURPOSE);
      return { data: promptOptions({ challenge, rpId: proofs.rpId }) };
    }),

    composed(publicEndpoints.passkeyLogIn, async ({ input: { passkey: answer, role }, ...exchange }) => {
      const { address } = exchange;
      await limits.passkeyLogIn.consume(networkOf(address));
      const passkey = await proofs.challenges.redeem(PURPOSE, answer);
      const { data } = await services.identity(
        logInEndpoints.logInWithPasskey,
        { passkey, role },
        { caller: ANONYMOUS },
      );
      return completeLogIn(parts, exchange, { ...data, method: 'passkey' });
    }),
  ];
};
