// Two-step verification is on while an account has an authenticator app: after the password it takes a code of the app, a recovery
// code or a passkey. A passkey alone does not turn it on, since a user who loses the device has no recovery codes. Where admins must
// have a second factor, a passkey is one: the password of an admin who has nothing else does not log in without it.
import type { SecondFactorMethod } from '@shortlist/contracts/api/factors';
import type { AccountFactors } from '@shortlist/contracts/api/identity';
import type { ReauthenticationMethod } from '@shortlist/contracts/api/public-factors';
import type { SessionRole } from '../session/session.ts';

export type AdminTwoStep = 'required' | 'optional';
type Account = { role: SessionRole; factors: AccountFactors };

const factorMethods = ({ totp, recoveryCodes, passkeys }: AccountFactors): SecondFactorMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(recoveryCodes > 0 ? (['recovery'] as const) : []),
];

/** The methods of which a log-in takes one after the password; none where the password is enough. */
export const secondStepOf = ({ role, factors }: Account, policy: AdminTwoStep): SecondFactorMethod[] => {
  const isRequired = role === 'admin' && policy === 'required';
  return factors.totp || isRequired ? factorMethods(factors) : [];
};

/** Whether an admin may only set up a second factor. */
export const mustSetUpFactor = ({ role, factors }: Account, policy: AdminTwoStep): boolean =>
  role === 'admin' && policy === 'required' && factorMethods(factors).length === 0;

/** The methods with which a user proves again who they are: those of the second step, or the password too where there is none. */
export const reauthenticationOf = (account: Account, policy: AdminTwoStep): ReauthenticationMethod[] => {
  const secondStep = secondStepOf(account, policy);
  return secondStep.length > 0 ? secondStep : ['password', ...factorMethods(account.factors)];
};
