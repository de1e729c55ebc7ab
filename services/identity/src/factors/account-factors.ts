import type { FactorsView, PasskeyView } from '@shortlist/contracts/api/factors';
import type { AccountFactors } from '@shortlist/contracts/api/identity';
import { RECOVERY_CODES } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { AccountRow } from '../accounts/queries.ts';
import type { FactorKeys } from './factor-keys.ts';
import { countRecoveryCodes, findTotp, listPasskeys, type PasskeyRow, type TotpRow } from './queries.ts';

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

export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

type Factors = { totp: TotpRow | null; codesLeft: number; passkeys: PasskeyRow[] };

export const presentFactors = ({ totp, codesLeft, passkeys }: Factors): FactorsView => ({
  totpSince: totp?.confirmedAt?.toISOString() ?? null,
  recoveryCodes: { left: codesLeft, total: RECOVERY_CODES },
  passkeys: passkeys.map(presentPasskey),
});
