import type { AccountFactors } from '@shortlist/contracts/api/factors';

/** The factors of an account that has a password alone. */
export const NO_FACTORS: AccountFactors = {
  totp: false,
  recoveryCodes: 0,
  passkeys: 0,
  fingerprint: 'fingerprint',
};

/** What an owner may do, of an account that logs in as an admin. */
export const OWNER = { role: 'owner', version: 0 } as const;
