import Joi from 'joi';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type Account, type AccountFactors } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SecondStepReply } from '@shortlist/contracts/api/public-factors';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validate';
import { closedSignal } from '@shortlist/kit/http/closed-signal';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { LoginLimits } from '../limits/login-limits.ts';
import { handled } from '../pipeline/handled.ts';
import type { Exchange, PublicEndpoint } from '../pipeline/public-endpoint.ts';
import { secondStepOf } from '../proofs/second-step.rules.ts';
import type { SessionRole } from '../session/sessions.ts';
import { ANONYMOUS, SERVICE_CALLER } from '../upstream/services.ts';
import { completeAdminLogIn, completeUserLogIn, type LogInParts } from './complete-log-in.ts';

type Parts = LogInParts & { limits: LoginLimits };

// Validated in the handler: the response to an invalid log-in has an error code of its own (docs/product.md).
const anyInput = Joi.object().unknown() as Joi.Schema<LoginInput>;
const roles = ['anonymous', 'user', 'admin'] as const;

const parseLogin = (input: unknown): LoginInput => {
  const { value, fields } = validate(loginSchema, input, { unknown: 'refuse' });
  if (fields !== null) throw createError('identity.login_invalid', { fields });
  return value;
};

/** A client that leaves before the response may have had its password compared. */
const COUNTED = new Set<string>(['identity.credentials_wrong', 'request.aborted']);

type Verified = { data: Account; factors: AccountFactors };

/** The account of these credentials. Wrong ones count against the account and the client's network. */
const verifyCredentials = async (
  { services, limits }: Parts,
  login: LoginInput,
  { role, address, response }: Pick<Exchange, 'address' | 'response'> & { role: SessionRole },
): Promise<Verified> => {
  const attempt = { email: login.email, address };
  await limits.consume(attempt);
  try {
    return await services.identity(
      identityEndpoints.verifyCredentials,
      { ...login, role },
      // The address is for the audit log.
      { caller: { ...ANONYMOUS, address }, signal: closedSignal(response) },
    );
  } catch (error) {
    if (!(error instanceof AppError && COUNTED.has(error.code))) await limits.refund(attempt);
    throw error;
  }
};

type FirstStep<Reply> = {
  role: SessionRole;
  exchange: Pick<Exchange, 'request' | 'response' | 'address'>;
  complete: (proven: { id: string; factors: AccountFactors }) => Promise<Reply>;
};

/** identity records the log-in of an account without a second step, or with its second step. */
const recordTrusted = async ({ services }: Parts, userId: string, address: string): Promise<void> => {
  await services.identity(
    factorEndpoints.recordTrusted,
    { userId },
    { caller: { ...SERVICE_CALLER, address } },
  );
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
  const { tickets, trustedDevices, adminTwoStep } = parts.proofs;
  const login = parseLogin(input);
  const { data, factors } = await verifyCredentials(parts, login, { role, ...exchange });
  const { generation } = factors;
  const methods = secondStepOf({ role, factors }, adminTwoStep);
  const isTrusted = trustedDevices.isTrusted(exchange.request, { userId: data.id, generation });
  if (methods.length > 0 && !isTrusted) {
    const step = { userId: data.id, email: login.email, role, methods, generation };
    return { message: 'second factor', data: { ticket: await tickets.issue(step), methods } };
  }
  if (methods.length > 0) await recordTrusted(parts, data.id, exchange.address);
  await parts.limits.succeeded({ email: login.email, address: exchange.address });
  return complete({ id: data.id, factors });
};

export const logInEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { sessions, xsrf, binding } = parts;
  return [
    handled(publicEndpoints.login, {
      roles,
      beforeSecondFactor: true,
      input: anyInput,
      handle: ({ input, ...exchange }) =>
        takeFirstStep(parts, input, {
          role: 'user',
          exchange,
          complete: (proven) => completeUserLogIn(parts, exchange, proven),
        }),
    }),

    handled(publicEndpoints.adminLogin, {
      roles,
      beforeSecondFactor: true,
      input: anyInput,
      handle: ({ input, ...exchange }) =>
        takeFirstStep(parts, input, {
          role: 'admin',
          exchange,
          complete: (proven) => completeAdminLogIn(parts, exchange, proven),
        }),
    }),

    handled(publicEndpoints.logout, {
      roles,
      beforeSecondFactor: true,
      input: Joi.object<Record<never, never>>({}),
      handle: async ({ request, response, token, session }) => {
        if (token !== null && session !== null) {
          await sessions.end(token);
          binding.remove({ request, response }, session.role);
        }
        xsrf.renew({ request, response }, { ended: token });
        return { message: 'logout' };
      },
    }),
  ];
};
