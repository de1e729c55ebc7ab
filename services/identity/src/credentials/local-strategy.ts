import type { Role } from '@shortlist/contracts/api/identity';
import { closedSignal } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import type { Request, Response } from 'express';
import { Passport } from 'passport';
import { Strategy } from 'passport-local';
import type { AccountRow } from '../accounts/account.entity.ts';
import type { Credentials } from './verify-credentials.ts';

export type Authenticate = (request: Request, response: Response) => Promise<AccountRow>;

/** Runs `verify` as a passport-local strategy, without passport's sessions: bff has the sessions. */
export const createAuthenticate = (
  verify: (credentials: Credentials) => Promise<AccountRow>,
): Authenticate => {
  const passport = new Passport();
  passport.use(
    new Strategy(
      { usernameField: 'email', passReqToCallback: true, session: false },
      // eslint-disable-next-line max-params -- passport-local requires these four
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
