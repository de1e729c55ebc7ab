import { defineEndpoint } from './endpoint.ts';
import { publicEmailChangeEndpoints } from './public-email-change.ts';

/**
 * `isVerified`: whether the user has proved that the address is theirs. `pendingEmail`: the new address that the user has requested
 * and not confirmed yet. `confirmBy`: when the account is given up unless the address is confirmed; null for one that is kept.
 */
export type EmailView = {
  email: string;
  isVerified: boolean;
  pendingEmail: string | null;
  confirmBy: string | null;
};

type None = Record<never, never>;

/** The endpoints of the account's e-mail address. */
export const emailEndpoints = {
  email: defineEndpoint<None, { data: EmailView }>('GET', '/api/email'),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: defineEndpoint<{ token: string }, { data: { email: string } }>('POST', '/api/email/verify'),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: defineEndpoint<{ code: string }, { data: { email: string } }>(
    'POST',
    '/api/email/verify-code',
  ),
  resendVerification: defineEndpoint<None, { message: string }>('POST', '/api/email/resend'),
  ...publicEmailChangeEndpoints,
} as const;
