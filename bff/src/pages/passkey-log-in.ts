import Joi from 'joi';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ASSERTION_BYTES, passkeyAssertion } from '@shortlist/contracts/schemas/factors';
import type { AttemptLimit } from '../limits/attempt-limit.ts';
import { networkOf } from '../limits/network.ts';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import { promptOptions } from '../proofs/prompt.ts';
import { ANONYMOUS } from '../upstream/services.ts';
import { completeLogIn, type LogInParts } from './complete-log-in.ts';

const PURPOSE = 'log in';
const roles = ['anonymous', 'user', 'admin'] as const;

/** Log-in without a password: the passkey names its account, and its authenticator has verified the user. */
export const passkeyLogInEndpoints = (
  parts: LogInParts & { passkeyLimit: AttemptLimit },
): PublicEndpoint[] => {
  const { services, proofs, passkeyLimit } = parts;
  return [
    handled(publicEndpoints.passkeyLogInOptions, {
      roles,
      permission: 'own_account',
      beforeSecondFactor: true,
      input: Joi.object<Record<never, never>>({}),
      handle: async ({ address }) => {
        await passkeyLimit.consume(networkOf(address));
        const challenge = await proofs.challenges.issue(PURPOSE);
        return { data: promptOptions({ challenge, rpId: proofs.rpId }) };
      },
    }),

    handled(publicEndpoints.passkeyLogIn, {
      roles,
      permission: 'own_account',
      beforeSecondFactor: true,
      bodyBytes: ASSERTION_BYTES,
      input: Joi.object({ passkey: passkeyAssertion, role: Joi.string().valid('user', 'admin').required() }),
      handle: async ({ input: { passkey: answer, role }, ...exchange }) => {
        const { address } = exchange;
        await passkeyLimit.consume(networkOf(address));
        const passkey = await proofs.challenges.redeem(PURPOSE, answer);
        const { data } = await services.identity(
          factorEndpoints.logInWithPasskey,
          { passkey, role },
          { caller: { ...ANONYMOUS, address } },
        );
        return completeLogIn(parts, exchange, { ...data, method: 'passkey' });
      },
    }),
  ];
};
