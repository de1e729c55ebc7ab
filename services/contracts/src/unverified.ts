/** What an account may not do until its e-mail address is confirmed. Everything else is open to it. */
export const UNVERIFIED_MAY_NOT = ['checkout', 'api_keys'] as const;
export type VerifiedAction = (typeof UNVERIFIED_MAY_NOT)[number];
