import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { SUBSCRIPTION_CHOICES } from '@shortlist/contracts/api/privacy';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeletionRequest } from '@shortlist/contracts/api/public-account';
import { DELETION_REASON_MAX } from '@shortlist/contracts/limits';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { line, userId } from '@shortlist/contracts/schemas/text';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { createProxied } from '../http/proxied.ts';
import type { Sessions } from '../session/sessions.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../upstream/services.ts';

type Parts = { services: Services; sessions: Sessions };

const NOTHING = Joi.object<Record<never, never>>({});

const request = Joi.object<DeletionRequest, true>({
  email: emailSchema,
  subscription: Joi.string()
    .valid(...SUBSCRIPTION_CHOICES)
    .required(),
  reason: line({ required: 'Please enter a text' }, { max: DELETION_REASON_MAX }).optional().empty(''),
});

const idOf = ({ userId: id }: Caller): string => {
  if (id === null) throw createError('session.missing');
  return id;
};

/** Before the subscription ends: a mistyped address must change nothing. identity compares it again. */
const assertOwnEmail = async ({ services }: Parts, email: string, caller: Caller): Promise<void> => {
  const account = await services.identity(identityEndpoints.email, { id: idOf(caller) }, { caller });
  if (account.data.email === email) return;
  const { message } = createError('identity.email_mismatch');
  throw createError('identity.email_mismatch', { fields: { email: message } });
};

/** Ends the subscription as the user chose, and returns the end of what is paid for and kept. Nothing is refunded. */
const endSubscription = async (
  { services }: Parts,
  { subscription }: DeletionRequest,
  caller: Caller,
): Promise<string | null> => {
  const when = subscription === 'keep' ? 'period_end' : 'now';
  const reply = await services.billing(
    billingEndpoints.revokePlan,
    { userId: idOf(caller), when },
    { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
  );
  return reply.outlook?.premiumUntil ?? null;
};

const deletionEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, sessions } = parts;
  return [
    handled(publicEndpoints.deletion, {
      roles: ['user'],
      duringDeletion: true,
      input: NOTHING,
      handle: ({ caller }) =>
        services.identity(identityEndpoints.getDeletion, { id: idOf(caller) }, { caller }),
    }),

    handled(publicEndpoints.requestDeletion, {
      roles: ['user'],
      recent: true,
      input: request,
      handle: async ({ input, caller }) => {
        const id = idOf(caller);
        await assertOwnEmail(parts, input.email, caller);
        const keepUntil = await endSubscription(parts, input, caller);
        const { data, generation } = await services.identity(
          identityEndpoints.requestDeletion,
          { ...input, id, keepUntil },
          { caller },
        );
        await sessions.endAllBefore(id, generation);
        return { message: 'deletion requested', data };
      },
    }),

    handled(publicEndpoints.keepAccount, {
      roles: ['user'],
      duringDeletion: true,
      input: NOTHING,
      handle: async ({ caller }) => {
        const id = idOf(caller);
        await services.identity(identityEndpoints.cancelDeletion, { id }, { caller });
        await sessions.liftRestriction(id, 'deletion');
        return { message: 'account kept' };
      },
    }),

    handled(publicEndpoints.userDeletion, {
      roles: ['admin'],
      permission: 'users.read',
      input: Joi.object<{ id: string }, true>({ id: userId }),
      handle: ({ input, caller }) => services.identity(identityEndpoints.getDeletion, input, { caller }),
    }),
  ];
};

const exportEndpoints = ({ services }: Parts): PublicEndpoint[] => [
  handled(publicEndpoints.dataExport, {
    roles: ['user'],
    input: NOTHING,
    handle: ({ caller }) =>
      services.identity(identityEndpoints.getDataExport, { id: idOf(caller) }, { caller }),
  }),
  handled(publicEndpoints.requestDataExport, {
    roles: ['user'],
    recent: true,
    status: 202,
    input: NOTHING,
    handle: ({ caller }) =>
      services.identity(identityEndpoints.requestDataExport, { id: idOf(caller) }, { caller }),
  }),
  handled(publicEndpoints.removeDataExport, {
    roles: ['user'],
    input: NOTHING,
    handle: ({ caller }) =>
      services.identity(identityEndpoints.removeDataExport, { id: idOf(caller) }, { caller }),
  }),
];

/** The copy of a user's data, and the deletion of the account. */
export const privacyEndpoints = (
  parts: Parts & { proxied: ReturnType<typeof createProxied> },
): PublicEndpoint[] => [
  ...deletionEndpoints(parts),
  ...exportEndpoints(parts),
  parts.proxied(publicEndpoints.downloadData, {
    ...{ to: 'identity', path: '/accounts/:userId/data-export/file', roles: ['user'] },
    ...{ recent: true, hasQuery: false },
  }),
];
