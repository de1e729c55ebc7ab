import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { Router } from '@shortlist/kit/http/router';
import { listUnknownAccounts } from '../accounts/queries.ts';
import { recoverAccounts, type RecoveryParts } from './recover-accounts.ts';

/** Accounts that others know and this database may have lost. */
export const addRecoveryEndpoints = (router: Router, parts: RecoveryParts): void => {
  router.add(identityEndpoints.listUnknownAccounts, async ({ input: { ids } }) => ({
    data: await listUnknownAccounts(parts.db.manager, ids),
  }));

  router.add(identityEndpoints.recoverAccounts, async ({ input: { accounts } }) => ({
    data: await recoverAccounts(parts, accounts),
  }));
};
