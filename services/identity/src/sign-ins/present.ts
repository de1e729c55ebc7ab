import type { SignInView } from '@shortlist/contracts/api/sign-ins';
import type { SignInRow } from './sign-in.entity.ts';

export const presentSignIn = ({
  accountId: _accountId,
  sessionId: _sessionId,
  network: _network,
  at,
  warnedAt,
  isNewDevice,
  ...row
}: SignInRow): SignInView => ({
  ...row,
  at: at.toISOString(),
  isNewDevice: Boolean(isNewDevice), // the database returns a number
  isLocked: warnedAt !== null && row.method === 'password',
});
