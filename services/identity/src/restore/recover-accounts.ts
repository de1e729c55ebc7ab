// The accounts that identity has lost with its topic, from what profile knows of them.
import { listAllAbout } from '@shortlist/audit/queries';
import type { AccountCopy } from '@shortlist/contracts/api/identity';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { listEmailVersions } from '../accounts/queries.ts';
import type { Hasher } from '../passwords.ts';
import { nothingKnown } from './read-accounts.ts';
import { type Change, restoreAccount } from './restore-accounts.ts';

export type RecoveryParts = { db: Db; clock: Clock; hasher: Hasher };

const wasDeleted = async (tx: Tx, id: string): Promise<boolean> =>
  (await listAllAbout(tx, id)).some(({ action }) => action === 'account.delete');

const recoverAccount = async (
  change: Change,
  { id, email, emailVersion: version, createdAt }: AccountCopy,
): Promise<string[]> => {
  const isDeleted = await wasDeleted(change.tx, id);
  return restoreAccount(change, id, {
    ...nothingKnown(),
    ...{ registered: { email, createdAt }, email: { email, version }, isDeleted },
  });
};

/** Creates missing accounts, unless they were deleted, and stores later addresses. Returns what was done, by account. */
export const recoverAccounts = async (
  { db, clock, hasher }: RecoveryParts,
  copies: readonly AccountCopy[],
): Promise<{ id: string; done: string }[]> => {
  const versions = await listEmailVersions(
    db.manager,
    copies.map(({ id }) => id),
  );
  const recovered: { id: string; done: string }[] = [];
  for (const copy of copies) {
    if ((versions.get(copy.id) ?? -1) >= copy.emailVersion) continue;
    const done = await inTransaction(db, (tx) => recoverAccount({ tx, clock, hasher }, copy)).catch(
      (error: unknown) => {
        if (isDuplicate(error)) return ['not recovered: another account has its address'];
        throw error;
      },
    );
    if (done.length > 0) recovered.push({ id: copy.id, done: done.join('; ') });
  }
  return recovered;
};
