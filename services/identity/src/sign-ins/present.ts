import type { SignInView } from '@shortlist/contracts/api/sign-ins';
import type { SignInRow } from './sign-in.entity.ts';

export const presentSignIn = ({
  accountId: _accountId,
  sessionId: _sessionId,
  network: _network,
  at,
  lockedAt,
  isNewDevice,
  ...row
}: SignInRow): SignInView => ({
  ...row,
  at: at.toISOString(),
  isNewDevice: Boolean(isNewDevice), // the database returns a number
  isLocked: lockedAt !== null,
});
