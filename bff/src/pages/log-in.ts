import Joi from 'joi';
import { identityEndpoints, type Account } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validate';
import { closedSignal } from '@shortlist/kit/http/closed-signal';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { LOCKING_FAILURE } from '../limits/login-delay.rules.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import { handled } from '../pipeline/handled.ts';
import type { Exchange, PublicEndpoint } from '../pipeline/public-endpoint.ts';
import type { SessionRole } from '../session/sessions.ts';
import { ANONYMOUS, type Services } from '../upstream/services.ts';
import { beginSession, type SessionParts } from './begin-session.ts';
import { recordFailedSignIn } from './record-sign-in.ts';
import { composeUser } from './user-view.ts';

type Parts = SessionParts & { services: Services; limits: LoginLimits };

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

type LogInExchange = Pick<Exchange, 'request' | 'response' | 'address'>;

/** The account of these credentials. Wrong ones count against the account or the device, and against the client's network. */
const verifyCredentials = async (
  parts: Parts,
  login: LoginInput & { role: SessionRole },
  exchange: LogInExchange,
): Promise<Account> => {
  const { services, limits, deviceCookie } = parts;
  const { request, response, address } = exchange;
  const { email, role } = login;
  const attempt = { email, address, device: deviceCookie.find(request, email) };
  const failures = await limits.consume(attempt);
  try {
    const { data } = await services.identity(
      identityEndpoints.verifyCredentials,
      login,
      // The address is for the audit log.
      { caller: { ...ANONYMOUS, address }, signal: closedSignal(response) },
    );
    await limits.succeeded(attempt);
    return data;
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

export const logInEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, sessions, xsrf, binding } = parts;
  return [
    handled(publicEndpoints.login, {
      roles,
      input: anyInput,
      handle: async ({ input, ...exchange }) => {
        const login = { ...parseLogin(input), role: 'user' } as const;
        const { id } = await verifyCredentials(parts, login, exchange);
        const user = await composeUser(services, id, { caller: { role: 'user', userId: id } });
        const { token, remainingSeconds } = await beginSession(parts, exchange, {
          ...login,
          id,
          method: 'password',
        });
        return { message: 'login', data: { token, user, remainingTime: remainingSeconds } };
      },
    }),

    handled(publicEndpoints.adminLogin, {
      roles,
      input: anyInput,
      handle: async ({ input, ...exchange }) => {
        const login = { ...parseLogin(input), role: 'admin' } as const;
        const { id } = await verifyCredentials(parts, login, exchange);
        const { token, remainingSeconds } = await beginSession(parts, exchange, {
          ...login,
          id,
          method: 'password',
        });
        return { message: 'login success', credentials: { token, expiresIn: remainingSeconds } };
      },
    }),

    handled(publicEndpoints.logout, {
      roles,
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
