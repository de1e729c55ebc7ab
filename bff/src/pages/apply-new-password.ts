import type { DeviceCookie } from '../limits/device-cookie.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import type { ResetLimits } from '../limits/reset-limits.ts';
import type { Exchange } from '../http/endpoint.ts';

export type NewPasswordParts = {
  loginLimits: LoginLimits;
  resetLimits: ResetLimits;
  deviceCookie: DeviceCookie;
};

/**
 * What a new password changes for the log-ins of its address: failures of others are forgotten, browsers that were known are unknown
 * again, and the next request for a link causes a mail. `ownExchange`: of the user's session, whose browser stays known.
 */
export const applyNewPassword = async (
  { loginLimits, resetLimits, deviceCookie }: NewPasswordParts,
  email: string,
  ownExchange?: Pick<Exchange, 'request' | 'response'>,
): Promise<void> => {
  const known = ownExchange === undefined ? null : await deviceCookie.find(ownExchange.request, email);
  await deviceCookie.endAll(email);
  if (ownExchange !== undefined) {
    const { passwords } = await deviceCookie.read(ownExchange.request, email);
    deviceCookie.renew(ownExchange, email, { name: known, passwords });
  }
  await loginLimits.unlock(email);
  await resetLimits.passwordChanged(email);
};
