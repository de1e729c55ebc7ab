import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import {
  challenge,
  factorReason,
  origin,
  type PasskeyCeremony,
  passkeyName,
  type PasskeyRegistration,
  registrationCeremony,
  totpCode,
} from '@shortlist/contracts/schemas/factors';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import type { EndpointRule, Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { findAccount } from '../accounts/queries.ts';
import { accountFactors, presentFactors, presentPasskey, readFactors } from './account-factors.ts';
import type { FactorKeys } from './factor-keys.ts';
import { addPasskey, creationOptions, presentCredential } from './passkeys.ts';
import { listPasskeys, renamePasskey } from './queries.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { removeAllFactors, removePasskey, removeTotp } from './remove-factors.ts';
import { confirmTotp, startTotp } from './totp.ts';

type OwnRule<Input, Reply> = Pick<EndpointRule<Input, Reply, unknown>, 'input' | 'handle'>;

const ofUser = Joi.object<{ userId: string }, true>({ userId });

/** Adds endpoints of an account about itself: an admin, too, names no other account. */
const createOwnEndpoints =
  (router: Router) =>
  <Input extends { userId: string }, Reply>(
    endpoint: Endpoint<Input, Reply>,
    { input, handle }: OwnRule<Input, Reply>,
  ): void =>
    router.add(endpoint, {
      roles: ['user', 'admin'],
      input,
      handle: (context) => {
        if (context.input.userId !== context.caller.userId) throw createError('request.not_found');
        return handle(context);
      },
    });

type OfUser<Input> = { userId: string } & Input;
const passkeyId = userId;

type FactorParts = { db: Db; keys: FactorKeys; clock: Clock; sharedClock: SharedClock };

const addPasskeyEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, clock } = parts;
  const addOwn = createOwnEndpoints(router);

  addOwn(factorEndpoints.passkeyOptions, {
    input: ofUser.append<OfUser<{ challenge: string; origin: string; brand: string }>>({
      ...{ challenge, origin },
      brand: Joi.string().max(200).required(),
    }),
    handle: async ({ input: { userId: id, ...site } }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      const known = await listPasskeys(db.manager, id);
      return { data: await creationOptions({ account, known, ...site }) };
    },
  });

  addOwn(factorEndpoints.addPasskey, {
    input: ofUser.append<OfUser<{ passkey: PasskeyCeremony<PasskeyRegistration>; name: string }>>({
      passkey: registrationCeremony,
      name: passkeyName,
    }),
    handle: async ({ input: { userId: accountId, ...input }, caller }) => ({
      data: presentPasskey(await addPasskey(parts, { accountId, ...input, caller })),
    }),
  });

  addOwn(factorEndpoints.renamePasskey, {
    input: ofUser.append<OfUser<{ passkeyId: string; name: string }>>({ passkeyId, name: passkeyName }),
    handle: async ({ input: { userId: accountId, passkeyId: id, name } }) => {
      const row = await renamePasskey(db.manager, { accountId, id }, name);
      if (row === null) throw createError('identity.passkey_not_found');
      return { data: presentPasskey(row) };
    },
  });

  addOwn(factorEndpoints.removePasskey, {
    input: ofUser.append<OfUser<{ passkeyId: string }>>({ passkeyId }),
    handle: async ({ input: { userId: accountId, passkeyId: id }, caller }) => {
      const removal = { accountId, passkeyId: id, caller, clock };
      await inTransaction(db, (tx) => removePasskey(tx, removal));
      return { message: 'removed' };
    },
  });
};

const addTotpEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, clock } = parts;
  const addOwn = createOwnEndpoints(router);

  addOwn(factorEndpoints.startTotp, {
    input: ofUser,
    handle: async ({ input }) => ({
      data: await inTransaction(db, (tx) => startTotp(tx, input.userId, parts)),
    }),
  });

  addOwn(factorEndpoints.confirmTotp, {
    input: ofUser.append<{ userId: string; code: string }>({ code: totpCode }),
    handle: async ({ input: { userId: accountId, code }, caller }) => {
      const confirmation = { accountId, code, caller, ...parts };
      const recoveryCodes = await inTransaction(db, (tx) => confirmTotp(tx, confirmation));
      return { data: { recoveryCodes } };
    },
  });

  addOwn(factorEndpoints.removeTotp, {
    input: ofUser,
    handle: async ({ input, caller }) => {
      await inTransaction(db, (tx) => removeTotp(tx, { accountId: input.userId, caller, clock }));
      return { message: 'removed' };
    },
  });

  addOwn(factorEndpoints.renewRecoveryCodes, {
    input: ofUser,
    handle: async ({ input, caller }) => {
      const renewal = { accountId: input.userId, caller, ...parts };
      return { data: { recoveryCodes: await inTransaction(db, (tx) => renewRecoveryCodes(tx, renewal)) } };
    },
  });
};

export const addFactorEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, keys, clock } = parts;

  router.add(factorEndpoints.getFactors, {
    roles: ['user', 'admin'],
    input: ofUser,
    owner: (input) => input.userId,
    handle: async ({ input }) => ({ data: presentFactors(await readFactors(db.manager, input.userId)) }),
  });

  router.add(factorEndpoints.listCredentials, {
    roles: ['service'],
    input: ofUser,
    handle: async ({ input }) => {
      const account = await findAccount(db.manager, input.userId);
      if (account === null) throw createError('identity.user_not_found');
      const { passkeys } = await readFactors(db.manager, account.id);
      const factors = await accountFactors(db.manager, account, keys);
      return { data: { factors, credentials: passkeys.map(presentCredential) } };
    },
  });

  router.add(factorEndpoints.removeFactors, {
    roles: ['admin'],
    input: ofUser.append<{ userId: string; reason: string }>({ reason: factorReason }),
    handle: async ({ input: { userId: accountId, reason }, caller }) => {
      await inTransaction(db, async (tx) => {
        const account = await findAccount(tx, accountId);
        // Admins' factors are removed by the operator, not by another admin.
        if (account?.role !== 'user') throw createError('identity.user_not_found');
        if (!(await removeAllFactors(tx, { accountId, caller, clock, reason })))
          throw createError('identity.totp_off');
      });
      return { message: 'removed' };
    },
  });

  addTotpEndpoints(router, parts);
  addPasskeyEndpoints(router, parts);
};
