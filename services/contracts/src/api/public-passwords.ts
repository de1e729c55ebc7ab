import { defineEndpoint } from './endpoint.ts';

type Message = { message: string };

/** The endpoints of passwords: lost ones and new ones. */
export const passwordEndpoints = {
  /** The response is the same whether or not the address has an account. */
  forgotPassword: defineEndpoint<{ email: string }, Message>('POST', '/api/password/forgot'),
  /** The address whose password the link sets. The token is in a body because addresses of requests are logged. */
  checkReset: defineEndpoint<{ token: string }, { data: { email: string; isAdmin: boolean } }>(
    'POST',
    '/api/password/reset/check',
  ),
  resetPassword: defineEndpoint<{ token: string; password: string }, Message>('POST', '/api/password/reset'),
  changePassword: defineEndpoint<{ currentPassword: string; password: string }, Message>(
    'PUT',
    '/api/password',
  ),
} as const;
