import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { factorReason, totpCode } from '@shortlist/contracts/schemas/factors';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';
import { accountFactors, readFactors } from './account-factors.ts';
import { confirmTotp } from './confirm-totp.ts';
import type { FactorKeys } from './factor-keys.ts';
import { createOwnEndpoints, ofUser } from './own-endpoints.ts';
import { presentCredential } from './passkey-ceremony.ts';
import { addPasskeyEndpoints } from './passkey-routes.ts';
import { presentFactors } from './present.ts';
import { removeAllFactors, removeTotp } from './remove-factors.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';
import { startTotp } from './start-totp.ts';

type FactorParts = { db: Db; keys: FactorKeys; clock: Clock };
const addTotpEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, keys, clock } = parts;
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
      const confirmation = { accountId, code, caller, keys, clock };
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
      const renewal = { accountId: input.userId, caller, keys, clock };
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
