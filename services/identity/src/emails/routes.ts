import {
  emailChangeEndpoints,
  emailRetryEndpoints,
  formerEmailEndpoints,
} from '@shortlist/contracts/api/email';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { asciiEmail } from '@shortlist/contracts/unicode';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { CodeKeys } from '../accounts/mailed-token-queries.ts';
import { listFormerOwners } from '../accounts/email-change-queries.ts';
import { findAccount, findAccountByEmail } from '../accounts/queries.ts';
import { assertCurrentPassword } from '../credentials/verify-credentials.ts';
import type { Hasher, PasswordPolicy } from '../passwords.ts';
import {
  cancelEmailChange,
  confirmEmailChange,
  confirmEmailChangeCode,
  requestEmailChange,
  resendEmailChange,
} from './change-email.ts';
import { issueMailedToken } from './issue-mailed-token.ts';
import { recordEmailRetry } from './record-email-retry.ts';
import { checkEmailUndo, undoEmailChange } from './undo-email-change.ts';

type ChangeParts = { db: Db; hasher: Hasher; clock: Clock; sharedClock: SharedClock; keys: CodeKeys };
type Parts = ChangeParts & { passwordPolicy: PasswordPolicy };

const addOwnEndpoints = (router: Router, { db, hasher, clock, sharedClock, keys }: ChangeParts): void => {
  router.add(
    emailChangeEndpoints.requestEmailChange,
    async ({ input: { id, email, currentPassword: password }, response }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      const signal = closedSignal(response);
      if (password !== undefined) await assertCurrentPassword(hasher, account, { password, signal });
      await inTransaction(db, (tx) => requestEmailChange(tx, { id, email, clock, sharedClock }));
      return {};
    },
  );

  router.add(emailChangeEndpoints.resendEmailChange, async ({ input: { id } }) => {
    await inTransaction(db, (tx) => resendEmailChange(tx, { id, clock }));
    return {};
  });

  router.add(emailChangeEndpoints.cancelEmailChange, async ({ input: { id } }) => {
    await inTransaction(db, (tx) => cancelEmailChange(tx, { id, clock }));
    return {};
  });

  router.add(emailChangeEndpoints.confirmEmailChangeCode, async ({ input, caller }) => ({
    data: await confirmEmailChangeCode(db, { ...input, address: caller.address ?? '', clock, keys }),
  }));
};

/** The endpoints for changing an email, and for emailed tokens. */
export const addEmailEndpoints = (router: Router, parts: Parts): void => {
  const { db, hasher, clock, keys, passwordPolicy } = parts;
  addOwnEndpoints(router, parts);

  router.add(formerEmailEndpoints.findFormerOwners, async ({ input }) => {
    const email = asciiEmail(input.email);
    const former = await listFormerOwners(db.manager, email);
    if (former.length === 0) return { data: [] };
    const owner = await findAccountByEmail(db.manager, email, 'user');
    return { data: [...new Set([...(owner === null ? [] : [owner.id]), ...former])] };
  });

  router.add(emailRetryEndpoints.recordEmailRetry, async ({ input, caller }) => ({
    data: { email: await inTransaction(db, (tx) => recordEmailRetry(tx, { ...input, caller, clock })) },
  }));

  router.add(identityEndpoints.issueMailedToken, async ({ input }) => ({
    data: await inTransaction(db, (tx) => issueMailedToken(tx, input, { clock, keys })),
  }));

  router.add(emailChangeEndpoints.confirmEmailChange, async ({ input, caller }) => ({
    data: await inTransaction(db, (tx) => confirmEmailChange(tx, { ...input, caller, clock })),
  }));

  router.add(emailChangeEndpoints.checkEmailUndo, async ({ input: { token } }) => ({
    data: await inTransaction(db, (tx) => checkEmailUndo(tx, { token, clock })),
  }));

  router.add(
    emailChangeEndpoints.undoEmailChange,
    async ({ input: { token, password, words }, caller, response }) => {
      const { email } = await inTransaction(db, (tx) => checkEmailUndo(tx, { token, clock })); // before computing a hash
      await passwordPolicy({ password, email, words });
      const passwordHash = await hasher.hash(password, closedSignal(response));
      const undo = { token, passwordHash, address: caller.address ?? '', clock };
      return { data: await inTransaction(db, (tx) => undoEmailChange(tx, undo)) };
    },
  );
};
