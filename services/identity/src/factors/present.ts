import type { FactorsView, PasskeyView } from '@shortlist/contracts/api/factors';
import { RECOVERY_CODES } from '@shortlist/contracts/limits';
import type { PasskeyRow } from './passkey.entity.ts';
import type { TotpRow } from './totp.entity.ts';

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
