import { type ChangedEmail, emailChangeEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { asService } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { assertRecent } from '../http/access.ts';
import { endAccess, type KeyStore } from '../api-keys/key-store.ts';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import { assertPasswordSuffices, type Proofs } from '../proofs/proofs.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, type Services } from '../services.ts';
import {
  applyNewPassword,
  countCurrentPassword,
  getOwnAccount,
  getUserWords,
  type NewPasswordParts,
} from './passwords.ts';

type Parts = {
  services: Services;
  limits: Limits;
  clock: Clock;
  proofs: Proofs;
};

const requestEndpoint = (parts: Parts): Route => {
  const { services, limits } = parts;
  return composed(publicEndpoints.requestEmailChange, async ({ input, caller, address, session }) => {
    const { id, email } = await getOwnAccount(services, caller);
    if (input.currentPassword === undefined) assertRecent(session, parts.clock);
    else await assertPasswordSuffices(parts, session);
    const request = () =>
      services.identity(
        emailChangeEndpoints.requestEmailChange,
        { id, ...input },
        { caller, timeoutMs: HASH_TIMEOUT_MS },
      );
    await limits.emailChange.count({ id, email: input.email, address }, () =>
      input.currentPassword === undefined
        ? request()
        : countCurrentPassword(limits.logIn, { email, address, device: id }, request),
    );
    return { message: 'requested' };
  });
};

/** A request to change the address, and what its user can do until the new one is confirmed. */
export const changeEmailEndpoints = (parts: Parts): Route[] => {
  const { services, limits } = parts;
  return [
    requestEndpoint(parts),

    composed(publicEndpoints.resendEmailChange, async ({ caller, address, userId: id }) => {
      const { data } = await services.identity(identityEndpoints.email, { id }, { caller });
      const { pendingEmail } = data;
      if (pendingEmail !== null)
        await limits.emailChange.count({ id, email: pendingEmail, address }, () =>
          services.identity(emailChangeEndpoints.resendEmailChange, { id }, { caller }),
        );
      return { message: 'requested' };
    }),

    composed(publicEndpoints.cancelEmailChange, async ({ caller, userId: id }) => {
      await services.identity(emailChangeEndpoints.cancelEmailChange, { id }, { caller });
      return { message: 'canceled' };
    }),
  ];
};

type LinkParts = NewPasswordParts & { services: Services; sessions: Sessions; keyStore: KeyStore; log: Log };

/** Updates profile's copy ahead of its event, so that the next read shows the new address. */
const storeCopy = async (
  { services, log }: LinkParts,
  { userId: id, email, version }: ChangedEmail,
): Promise<void> => {
  await services
    .profile(profileEndpoints.storeEmail, { id, email, version }, asService())
    .catch((error: unknown) => log.warn({ err: error }, 'email copy not stored; its event will update it'));
};

/** The other sessions end. The browser that has confirmed is a known one of the new address. */
const complete = async (
  parts: LinkParts,
  { session, request, response }: Exchange,
  changed: ChangedEmail,
): Promise<{ data: { email: string } }> => {
  const { sessions, deviceCookie } = parts;
  const isOwn = session?.userId === changed.userId;
  await sessions.endAllBefore(changed.userId, changed.generation, isOwn ? session.id : '');
  if (isOwn) {
    const client = await deviceCookie.read(request, changed.email);
    deviceCookie.renew({ request, response }, changed.email, client);
  }
  await storeCopy(parts, changed);
  return { data: { email: changed.email } };
};

const confirmEndpoints = (parts: LinkParts): Route[] => {
  const { services, limits } = parts;
  return [
    composed(publicEndpoints.confirmEmailChange, async ({ input, ...exchange }) => {
      const { address } = exchange;
      await limits.reset.consumeUse(address);
      // The address is for the audit log.
      const caller = exchange.caller.role === 'user' ? exchange.caller : { ...ANONYMOUS, address };
      const ofSession = exchange.session === null ? {} : { keptSessionId: exchange.session.id };
      const { data } = await services.identity(
        emailChangeEndpoints.confirmEmailChange,
        { ...input, ...ofSession },
        { caller },
      );
      return complete(parts, exchange, data);
    }),

    composed(publicEndpoints.confirmEmailChangeCode, async ({ input: { code }, ...exchange }) => {
      const { caller, address } = exchange;
      await limits.reset.consumeUse(address);
      const input = { id: exchange.session.userId, code, keptSessionId: exchange.session.id };
      const { data } = await services.identity(emailChangeEndpoints.confirmEmailChangeCode, input, {
        caller,
      });
      return complete(parts, exchange, data);
    }),
  ];
};

const undoEndpoints = (parts: LinkParts): Route[] => {
  const { services, limits } = parts;
  return [
    composed(publicEndpoints.checkEmailUndo, async ({ input, address }) => {
      await limits.reset.consumeUse(address);
      const caller = ANONYMOUS;
      const { data } = await services.identity(emailChangeEndpoints.checkEmailUndo, input, { caller });
      const { userId: _, ...undoable } = data;
      return { data: undoable };
    }),

    composed(publicEndpoints.undoEmailChange, async ({ input, address }) => {
      await limits.reset.consumeUse(address);
      const { token } = input;
      const caller = { ...ANONYMOUS, address }; // for the audit log
      const checked = await services.identity(emailChangeEndpoints.checkEmailUndo, { token }, { caller });
      const words = await getUserWords(services, checked.data.userId);
      const { data } = await services.identity(
        emailChangeEndpoints.undoEmailChange,
        { ...input, words },
        { caller, timeoutMs: HASH_TIMEOUT_MS },
      );
      await endAccess(parts, data.userId, data.generation);
      await applyNewPassword(parts, data.email);
      await storeCopy(parts, data);
      return { data: { email: data.email, removed: data.removed } };
    }),
  ];
};

/** What the links and the code of a change's mails do. */
export const emailChangeLinkEndpoints = (parts: LinkParts): Route[] => [
  ...confirmEndpoints(parts),
  ...undoEndpoints(parts),
];
