import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { loginPassword, mailedToken, newPassword } from '@shortlist/contracts/schemas/password';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { FORM_BYTES } from '../http/endpoint.ts';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import { assertPasswordSuffices } from '../proofs/assert-password-suffices.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, type Services } from '../upstream/services.ts';
import { HASH_TIMEOUT_MS } from '../upstream/time-limits.ts';
import { applyNewPassword, type NewPasswordParts } from './apply-new-password.ts';
import { countCurrentPassword, getOwnAccount, getUserWords } from './own-account.ts';

type Parts = NewPasswordParts & {
  services: Services;
  sessions: Sessions;
  clock: Clock;
  proofs: Proofs;
};

const anyCaller = { roles: ['anonymous', 'user', 'admin'], permission: 'own_account' } as const;
const token = Joi.object<{ token: string }, true>({ token: mailedToken });

const requestEndpoint = ({ services, resetLimits, deviceCookie }: Parts): PublicEndpoint =>
  handled(publicEndpoints.forgotPassword, {
    ...anyCaller,
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    status: 202,
    handle: async ({ input: { email }, request, address }) => {
      const device = await deviceCookie.find(request, email);
      if (await resetLimits.countRequest({ email, address, device }))
        await services.identity(identityEndpoints.requestPasswordReset, { email }, { caller: ANONYMOUS });
      return { message: 'requested' };
    },
  });

const resetEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, sessions, resetLimits } = parts;
  return [
    handled(publicEndpoints.checkReset, {
      ...anyCaller,
      input: token,
      handle: async ({ input, address }) => {
        await resetLimits.consumeUse(address);
        const caller = ANONYMOUS;
        const { data } = await services.identity(identityEndpoints.checkPasswordReset, input, { caller });
        return { data: { email: data.email, isAdmin: data.role === 'admin' } };
      },
    }),

    // Begins no session: the link alone does not log in.
    handled(publicEndpoints.resetPassword, {
      ...anyCaller,
      input: token.append<{ token: string; password: string }>({ password: newPassword }),
      handle: async ({ input, address }) => {
        await resetLimits.consumeUse(address);
        const caller = { ...ANONYMOUS, address }; // for the audit log
        const { data: account } = await services.identity(
          identityEndpoints.checkPasswordReset,
          { token: input.token },
          { caller },
        );
        const words = account.role === 'user' ? await getUserWords(services, account.userId) : [];
        const { data } = await services.identity(
          identityEndpoints.resetPassword,
          { ...input, words },
          { caller, timeoutMs: HASH_TIMEOUT_MS },
        );
        await sessions.endAllBefore(data.userId, data.generation);
        await applyNewPassword(parts, data.email);
        return { message: 'password set' };
      },
    }),
  ];
};

const changeEndpoint = (parts: Parts): PublicEndpoint => {
  const { services, sessions, loginLimits } = parts;
  return handled(publicEndpoints.changePassword, {
    roles: ['user', 'admin'],
    permission: 'own_account',
    bodyBytes: 2 * FORM_BYTES, // two passwords
    input: Joi.object<{ currentPassword: string; password: string }, true>({
      currentPassword: loginPassword,
      password: newPassword,
    }),
    handle: async ({ input, caller, address, session, token: sessionToken, ...exchange }) => {
      if (session === null) throw createError('session.missing');
      await assertPasswordSuffices(parts, session);
      const { id, email, words } = await getOwnAccount(services, caller);
      const { generation } = await countCurrentPassword(loginLimits, { email, address, device: id }, () =>
        services.identity(
          identityEndpoints.changePassword,
          { ...input, id, words, keptSessionId: session.id },
          { caller, timeoutMs: HASH_TIMEOUT_MS },
        ),
      );
      await sessions.endAllBefore(id, generation, sessionToken ?? undefined);
      await applyNewPassword(parts, email, exchange);
      return { message: 'password changed' };
    },
  });
};

export const passwordEndpoints = (parts: Parts): PublicEndpoint[] => [
  requestEndpoint(parts),
  ...resetEndpoints(parts),
  changeEndpoint(parts),
];
