import { identityEndpoints, type IssuedToken, type TokenPurpose } from '@shortlist/contracts/api/identity';
import { AppError } from '@shortlist/kit/process/errors';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { ClaimedMail } from './queries.ts';
import type { Template } from './mail-data.ts';

/** The mails with a secret in their link, and what the secret is for. */
export const SECRETS: Partial<Record<Template, TokenPurpose>> = {
  welcome: 'email_verify',
  verify_email: 'email_verify',
  confirm_reminder: 'email_verify',
  confirm_registration: 'email_verify',
  password_reset: 'password_reset',
  confirm_new_email: 'email_change',
  email_change_started: 'email_undo',
  email_changed: 'email_undo',
  admin_invitation: 'admin_invite',
};

/** The mails to an address that has no account yet. */
export const WITHOUT_ACCOUNT = new Set<Template>(['admin_invitation', 'confirm_registration']);

/** The mails that are sent without a secret to a user who needs none. */
export const SECRET_OPTIONAL = new Set<Template>(['welcome']);

const CALL = asService({ timeoutMs: 2_000 });

/** The secret of a mail, issued now. Returns null when there is no account any more, or nothing left to do for its user. */
export const issueSecret = async (
  { identity }: { identity: ServiceClient },
  { userId, data }: Pick<ClaimedMail, 'userId' | 'data'>,
  purpose: TokenPurpose,
): Promise<IssuedToken | null> => {
  const reference = data['reference'];
  const order = { purpose, userId, ...(reference === undefined ? {} : { reference }) };
  try {
    return (await identity(identityEndpoints.issueMailedToken, order, CALL)).data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity.user_not_found') return null;
    throw error;
  }
};
