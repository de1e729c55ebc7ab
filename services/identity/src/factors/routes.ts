import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';
import { removePasskey, removeTotp } from './change-factors.ts';
import type { FactorKeys } from './factor-keys.ts';
import { addPasskey, creationOptions, presentCredential } from './passkeys.ts';
import {
  accountFactors,
  listPasskeys,
  presentFactors,
  presentPasskey,
  readFactors,
  renamePasskey,
} from './queries.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { confirmTotp, startTotp } from './totp.ts';

type FactorParts = { db: Db; keys: FactorKeys; clock: Clock; sharedClock: SharedClock };

const addPasskeyEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, clock } = parts;

  router.add(factorEndpoints.passkeyOptions, async ({ input: { userId: id, ...site } }) => {
    const account = await findAccount(db.manager, id);
    if (account === null) throw createError('identity.user_not_found');
    const known = await listPasskeys(db.manager, id);
    return { data: await creationOptions({ account, known, ...site }) };
  });

  router.add(factorEndpoints.addPasskey, async ({ input: { userId: accountId, ...input }, caller }) => ({
    data: presentPasskey(await addPasskey(parts, { accountId, ...input, caller })),
  }));

  router.add(factorEndpoints.renamePasskey, async ({ input: { userId: accountId, passkeyId: id, name } }) => {
    const row = await inTransaction(db, (tx) => renamePasskey(tx, { accountId, id }, name));
    if (row === null) throw createError('identity.passkey_not_found');
    return { data: presentPasskey(row) };
  });

  router.add(
    factorEndpoints.removePasskey,
    async ({ input: { userId: accountId, passkeyId: id }, caller }) => {
      const removal = { accountId, passkeyId: id, caller, clock };
      await inTransaction(db, (tx) => removePasskey(tx, removal));
      return { message: 'removed' };
    },
  );
};

const addTotpEndpoints = (router: Router, parts: FactorParts): void => {
  const { db, clock } = parts;

  router.add(factorEndpoints.startTotp, async ({ input }) => ({
    data: await inTransaction(db, (tx) => startTotp(tx, input.userId, parts)),
  }));

  router.add(factorEndpoints.confirmTotp, async ({ input: { userId: accountId, code }, caller }) => {
    const confirmation = { accountId, code, caller };
    const recoveryCodes = await inTransaction(db, (tx) => confirmTotp(tx, confirmation, parts));
    return { data: { recoveryCodes } };
  });

  router.add(factorEndpoints.removeTotp, async ({ input, caller }) => {
    await inTransaction(db, (tx) => removeTotp(tx, { accountId: input.userId, caller, clock }));
    return { message: 'removed' };
  });

  router.add(factorEndpoints.renewRecoveryCodes, async ({ input, caller }) => {
    const renewal = { accountId: input.userId, caller };
    return {
      data: { recoveryCodes: await inTransaction(db, (tx) => renewRecoveryCodes(tx, renewal, parts)) },
    };
  });
};

export const addFactorEndpoints = (router: Router, parts: FactorParts): void => {
  const { db } = parts;

  router.add(factorEndpoints.getFactors, async ({ input }) => ({
    data: presentFactors(await readFactors(db.manager, input.userId)),
  }));

  router.add(factorEndpoints.listCredentials, async ({ input }) => {
    const account = await findAccount(db.manager, input.userId);
    if (account === null) throw createError('identity.user_not_found');
    const { passkeys } = await readFactors(db.manager, account.id);
    const factors = await accountFactors(db.manager, account);
    return { data: { factors, credentials: passkeys.map(presentCredential) } };
  });

  addTotpEndpoints(router, parts);
  addPasskeyEndpoints(router, parts);
};
