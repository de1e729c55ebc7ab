import type { PasskeyCeremony, PasskeyRegistration } from '@shortlist/contracts/schemas/factors';
import { PASSKEYS_MAX } from '@shortlist/contracts/limits';
import { type Db, inTransaction, isDuplicate } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import { verifyRegistration } from './passkey-ceremony.ts';
import type { PasskeyRow } from './passkey.entity.ts';
import { insertPasskey, listPasskeys } from './queries.ts';
import { recordAddedFactor } from './record-factor.ts';

type NewPasskey = {
  accountId: string;
  name: string;
  passkey: PasskeyCeremony<PasskeyRegistration>;
  caller: Caller;
};

/** Verifies a registration and stores its passkey. */
export const addPasskey = async (
  { db, clock }: { db: Db; clock: Clock },
  { accountId, name, passkey, caller }: NewPasskey,
): Promise<PasskeyRow> => {
  const credential = await verifyRegistration(passkey);
  const row = { ...credential, id: uuidv7(), accountId, name, createdAt: clock(), lastUsedAt: null };
  return inTransaction(db, async (tx) => {
    // The lock makes concurrent registrations of one account count each other.
    if ((await lockAccount(tx, accountId)) === null) throw createError('identity.user_not_found');
    if ((await listPasskeys(tx, accountId)).length >= PASSKEYS_MAX)
      throw createError('identity.passkeys_full');
    try {
      await insertPasskey(tx, row);
    } catch (cause) {
      if (isDuplicate(cause)) throw createError('identity.passkey_exists', { cause });
      throw cause;
    }
    await recordAddedFactor(tx, { accountId, factor: 'passkey', caller, clock });
    return row;
  });
};
