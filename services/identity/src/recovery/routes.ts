import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { getResetAccount, requestReset, resetPassword } from './reset-password.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };

export const addRecoveryEndpoints = (router: Router, { db, hasher, clock, passwordPolicy }: Parts): void => {
  router.add(identityEndpoints.requestPasswordReset, async ({ input: { email } }) => {
    await inTransaction(db, (tx) => requestReset(tx, { email, clock }));
    return {};
  });

  router.add(identityEndpoints.checkPasswordReset, async ({ input: { token } }) => {
    const { id, email, role } = await getResetAccount(db.manager, token, clock);
    return { data: { userId: id, email, role } };
  });

  router.add(
    identityEndpoints.resetPassword,
    async ({ input: { token, password, words }, caller, response }) => {
      const { email } = await getResetAccount(db.manager, token, clock); // before the work of a hash
      await passwordPolicy({ password, email, words });
      const passwordHash = await hasher.hash(password, closedSignal(response));
      const data = await inTransaction(db, (tx) => resetPassword(tx, { token, passwordHash, caller, clock }));
      return { data };
    },
  );
};
