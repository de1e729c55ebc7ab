import type { AccountFactors } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { AccountRow } from '../accounts/account.entity.ts';
import type { FactorKeys } from './factor-keys.ts';
import type { PasskeyRow } from './passkey.entity.ts';
import { countRecoveryCodes, findTotp, listPasskeys } from './queries.ts';
import type { TotpRow } from './totp.entity.ts';

export const readFactors = async (
  tx: Tx,
  accountId: string,
): Promise<{ totp: TotpRow | null; codesLeft: number; passkeys: PasskeyRow[] }> => {
  const [totp, codesLeft, passkeys] = await Promise.all([
    findTotp(tx, accountId),
    countRecoveryCodes(tx, accountId),
    listPasskeys(tx, accountId),
  ]);
  return { totp: totp?.confirmedAt ? totp : null, codesLeft, passkeys };
};

/** The factors of an account, as a log-in needs them. */
export const accountFactors = async (
  tx: Tx,
  { id, passwordHash, generation }: Pick<AccountRow, 'id' | 'passwordHash' | 'generation'>,
  keys: FactorKeys,
): Promise<AccountFactors> => {
  const { totp, codesLeft, passkeys } = await readFactors(tx, id);
  return {
    totp: totp !== null,
    recoveryCodes: totp === null ? 0 : codesLeft,
    passkeys: passkeys.length,
    fingerprint: keys.digest([
      id,
      passwordHash,
      String(generation),
      totp?.secret ?? '',
      ...passkeys.map((passkey) => passkey.id),
    ]),
  };
};
