import Joi from 'joi';
import { identityEndpoints, type Account } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import { validate } from '@shortlist/contracts/schemas/validate';
import type { Router } from '@shortlist/kit/http/router';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Request } from 'express';
import { composeUser } from '../pages/user-view.ts';
import type { Services } from '../services.ts';
import { tokenOf } from './identify.ts';
import type { LoginLimits } from './login-limits.ts';
import type { SessionRole, Sessions } from './sessions.ts';
import type { Xsrf } from './xsrf.ts';

export type SessionParts = { services: Services; sessions: Sessions; limits: LoginLimits; xsrf: Xsrf };

const ANYTHING = Joi.object().unknown() as Joi.Schema<LoginInput>; // held against its schema below, for the form's own words
const ANY_CALLER: readonly Caller['role'][] = ['anonymous', 'user', 'admin'];

const readLogin = (input: unknown): LoginInput => {
  const { value, fields } = validate(loginSchema, input);
  if (fields !== null) throw createError('identity.login_invalid', { fields });
  return value;
};

/** The account behind the credentials; wrong ones are counted against it. */
const verify = async (
  { services, limits }: SessionParts,
  login: LoginInput,
  at: { role: SessionRole; address: string },
): Promise<Account> => {
  const attempt = { email: login.email, address: at.address };
  await limits.assertOpen(attempt);
  try {
    const { data } = await services.identity(
      identityEndpoints.verifyCredentials,
      { ...login, role: at.role },
      { caller: { role: 'anonymous', userId: null } },
    );
    await limits.forgive(attempt);
    return data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity.credentials_wrong')
      await limits.countFailure(attempt);
    throw error;
  }
};

const addressOf = (request: Request): string => request.ip ?? 'unknown';

export const addSessionEndpoints = (router: Router, parts: SessionParts): void => {
  const { services, sessions, xsrf } = parts;

  router.add(publicEndpoints.login, {
    roles: ANY_CALLER,
    input: ANYTHING,
    handle: async ({ input, request, response }) => {
      const { id } = await verify(parts, readLogin(input), { role: 'user', address: addressOf(request) });
      const user = await composeUser(services, id, { caller: { role: 'user', userId: id } });
      const { token, remainingSeconds } = await sessions.begin(id, 'user');
      xsrf.renew({ request, response }, { begun: token });
      return { message: 'login', data: { token, user, remainingTime: remainingSeconds } };
    },
  });

  router.add(publicEndpoints.adminLogin, {
    roles: ANY_CALLER,
    input: ANYTHING,
    handle: async ({ input, request, response }) => {
      const { id } = await verify(parts, readLogin(input), { role: 'admin', address: addressOf(request) });
      const { token, remainingSeconds } = await sessions.begin(id, 'admin');
      xsrf.renew({ request, response }, { begun: token });
      return { message: 'login success', credentials: { token, expiresIn: remainingSeconds } };
    },
  });

  router.add(publicEndpoints.logout, {
    roles: ANY_CALLER,
    input: Joi.object<Record<never, never>>({}),
    handle: async ({ request, response }) => {
      const token = tokenOf(request);
      if (token !== null) await sessions.end(token);
      xsrf.renew({ request, response }, { ended: token });
      return { message: 'logout' };
    },
  });
};
