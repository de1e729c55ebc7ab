import { factorEndpoints } from '@shortlist/contracts/api/factors';
import {
  type AccountFactors,
  identityEndpoints,
  type ProvenAccount,
} from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SecondStepReply } from '@shortlist/contracts/api/public-sessions';
import { type LoginInput, loginSchema } from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validate';
import { closedSignal } from '@shortlist/kit/http/respond';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import type { AttemptLimit } from '../limits/attempt-limit.ts';
import { LOCKING_FAILURE } from '../limits/login-delay.rules.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import { networkOf } from '../limits/subjects.ts';
import { secondStepOf } from '../proofs/second-step.rules.ts';
import { promptOptions } from '../proofs/single-use.ts';
import type { SessionRole } from '../session/session.ts';
import { ANONYMOUS } from '../upstream/services.ts';
import {
  completeAdminLogIn,
  completeLogIn,
  completeUserLogIn,
  type LogInParts,
  type Proven,
} from './begin-session.ts';
import { recordFailedSignIn } from './sign-ins.ts';

type Parts = LogInParts & { limits: LoginLimits };

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
  const failures = await limits.consume(attempt);
  try {
    return await services.identity(
      identityEndpoints.verifyCredentials,
      login,
      // The address is for the audit log.
      { caller: { ...ANONYMOUS, address }, signal: closedSignal(response) },
    );
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === null || !COUNTED.has(code)) await limits.refund(attempt);
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
  complete: (proven: Proven) => Promise<Reply>;
};

/** identity records the log-in of an account without factors by itself, and that of one with a second step when it proves it. */
const recordTrusted = async ({ services }: Parts, userId: string, address: string): Promise<void> => {
  const caller = { ...SERVICE_CALLER, address };
  await services.identity(factorEndpoints.recordTrusted, { userId }, { caller });
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
  if (factors.totp || factors.passkeys > 0) await recordTrusted(parts, data.id, address);
  await limits.succeeded({ email, address, device: await deviceCookie.find(request, email) });
  return complete({ ...data, email, factors, method: 'password' });
};

export const logInEndpoints = (parts: Parts): Route[] => {
  const { sessions, xsrf, binding } = parts;
  return [
    composed(publicEndpoints.login, ({ input, ...exchange }) =>
      takeFirstStep(parts, input, {
        role: 'user',
        exchange,
        complete: (proven) => completeUserLogIn(parts, exchange, proven),
      }),
    ),

    composed(publicEndpoints.adminLogin, ({ input, ...exchange }) =>
      takeFirstStep(parts, input, {
        role: 'admin',
        exchange,
        complete: (proven) => completeAdminLogIn(parts, exchange, proven),
      }),
    ),

    composed(publicEndpoints.logout, async ({ request, response, token, session }) => {
      if (token !== null && session !== null) {
        await sessions.end(token);
        // An admin's viewing has no cookie of its own.
        if (session.viewerId === null) binding.remove({ request, response }, session.role);
      }
      xsrf.renew({ request, response }, { ended: token });
      return { message: 'logout' };
    }),
  ];
};

const PURPOSE = 'log in';

/** Log-in without a password: the passkey names its account, and its authenticator has verified the user. */
export const passkeyLogInEndpoints = (parts: LogInParts & { passkeyLimit: AttemptLimit }): Route[] => {
  const { services, proofs, passkeyLimit } = parts;
  return [
    composed(publicEndpoints.passkeyLogInOptions, async ({ address }) => {
      await passkeyLimit.consume(networkOf(address));
      const challenge = await proofs.challenges.issue(PURPOSE);
      return { data: promptOptions({ challenge, rpId: proofs.rpId }) };
    }),

    composed(publicEndpoints.passkeyLogIn, async ({ input: { passkey: answer, role }, ...exchange }) => {
      const { address } = exchange;
      await passkeyLimit.consume(networkOf(address));
      const passkey = await proofs.challenges.redeem(PURPOSE, answer);
      const { data } = await services.identity(
        factorEndpoints.logInWithPasskey,
        { passkey, role },
        { caller: { ...ANONYMOUS, address } },
      );
      return completeLogIn(parts, exchange, { ...data, method: 'passkey' });
    }),
  ];
};
