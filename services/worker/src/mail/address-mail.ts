// The recipient of an email: address, name, and the secret in the link.
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import {
  type AdminView,
  identityEndpoints,
  type IssuedToken,
  type TokenPurpose,
} from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { AppError } from '@shortlist/kit/process/errors';
import type { ClaimedMail } from './queries.ts';
import type { Recipient, Template } from './mail-data.ts';
import { mailedName, unconfirmedName } from './user-text.rules.ts';

type Mail = Pick<ClaimedMail, 'template' | 'userId'>;
type Directories = { profile: ServiceClient; identity: ServiceClient };

/** The emails that only an admin with a role, or only an owner, may get; a suspended admin has no role. */
const FOR_ADMINS: Partial<Record<Template, (role: AdminRole | null) => boolean>> = {
  alert: (role) => role !== null,
  example: (role) => role !== null,
  owner_added: (role) => role === 'owner',
  invitation_sent: (role) => role === 'owner',
};

const LOOKUP = asService({ timeoutMs: 1_000 });

/** Admins enter their own names, after opening a link in the mailbox, so no other person chose the name. */
const nameOfAdmin = ({ name }: AdminView): string => mailedName(name ?? '') ?? '';

/** Admins have accounts but no profiles. Returns null for a user who is no longer an admin. */
const findAdmin = async (
  { identity }: Directories,
  { userId, template }: Mail,
): Promise<Recipient | null> => {
  const { data } = await identity(identityEndpoints.listAdmins, {}, LOOKUP);
  const admin = data.find((candidate) => candidate.userId === userId);
  if (admin === undefined || FOR_ADMINS[template]?.(admin.role) === false) return null;
  return { email: admin.email, firstName: nameOfAdmin(admin), isAdmin: true };
};

/** Whether the user has confirmed the address. A name is not worth waiting for identity. */
const isConfirmed = async (
  { identity }: Directories,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> => {
  try {
    const { data } = await identity(identityEndpoints.email, { id: userId }, LOOKUP);
    return data.isVerified && data.email === email;
  } catch {
    return false;
  }
};

/**
 * Until an address is confirmed, its owner may be another person, who must not receive arbitrary text that someone else typed: a stricter rule
 * applies. identity is only called for names that pass only the other rule.
 */
const nameOfUser = async (
  directories: Directories,
  { userId, email, firstName }: { userId: string; email: string; firstName: string },
): Promise<string> => {
  const [strict, confirmed] = [unconfirmedName(firstName), mailedName(firstName)];
  const isStrictEnough = strict !== null || confirmed === null;
  const name = isStrictEnough || !(await isConfirmed(directories, { userId, email })) ? strict : confirmed;
  return name ?? '';
};

/** Calls profile when the email is sent: the user may have another address by then, or may be deleted. */
const findUser = async (directories: Directories, userId: string): Promise<Recipient | null | undefined> => {
  try {
    const { data } = await directories.profile(profileEndpoints.getProfile, { id: userId }, LOOKUP);
    const { email, firstName } = data;
    return { email, firstName: await nameOfUser(directories, { userId, email, firstName }) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'profile.deleted') return null;
    if (error instanceof AppError && error.code === 'profile.not_found') return undefined;
    throw error;
  }
};

/** An account without a profile belongs to an admin, or to a user whom profile does not know yet. */
const findUserOrAdmin = async (
  directories: Directories,
  mail: Mail,
): Promise<Recipient | null | undefined> => {
  const user = await findUser(directories, mail.userId);
  if (user !== undefined) return user;
  return (await findAdmin(directories, mail)) ?? undefined;
};

/** Returns null for a deleted user, undefined for a user whom profile does not know (yet). */
const findRecipient = (directories: Directories, mail: Mail): Promise<Recipient | null | undefined> =>
  FOR_ADMINS[mail.template] ? findAdmin(directories, mail) : findUserOrAdmin(directories, mail);

/** The emails with a secret in their link, and its purpose. */
const SECRETS: Partial<Record<Template, TokenPurpose>> = {
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

/** The emails to an address that has no account yet. */
const WITHOUT_ACCOUNT = new Set<Template>(['admin_invitation', 'confirm_registration']);

/** The emails that are sent without a secret if the user needs none. */
const SECRET_OPTIONAL = new Set<Template>(['welcome']);

const ISSUE = asService({ timeoutMs: 2_000 });

/** Issues the secret of an email. Returns null if the account no longer exists, or its user has nothing left to do. */
const issueSecret = async (
  { identity }: { identity: ServiceClient },
  { userId, data }: Pick<ClaimedMail, 'userId' | 'data'>,
  purpose: TokenPurpose,
): Promise<IssuedToken | null> => {
  const reference = data['reference'];
  const order = { purpose, userId, ...(reference === undefined ? {} : { reference }) };
  try {
    return (await identity(identityEndpoints.issueMailedToken, order, ISSUE)).data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity.user_not_found') return null;
    throw error;
  }
};

/** Profile may consume a registration later than worker, but not by this much. */
const UNKNOWN_SECONDS = inSeconds(minutes(10));

const isNew = ({ ageSeconds }: ClaimedMail): boolean => ageSeconds < UNKNOWN_SECONDS;

type Addressed = { recipient: Recipient | null | undefined; secrets?: Record<string, string> };

const NO_NAME = { email: '', firstName: '' };

/** A user who has just signed up, with the name in the event: identity has returned the unconfirmed account. */
const newUserOf = ({ data: { firstName } }: ClaimedMail, email: string): Recipient | null =>
  firstName === undefined ? null : { email, firstName: unconfirmedName(firstName) ?? '' };

/**
 * The name comes from the event or the directory; after a while, the email is sent without one. An email to an address other than the
 * account's, which the user has not confirmed or has given up, has no name either.
 */
const addressSecret = async (
  parts: Directories,
  mail: ClaimedMail,
  { token, code, email }: IssuedToken,
): Promise<Addressed> => {
  const known = WITHOUT_ACCOUNT.has(mail.template)
    ? NO_NAME
    : (newUserOf(mail, email) ?? (await findRecipient(parts, mail)));
  if (known === null || (known === undefined && isNew(mail))) return { recipient: known };
  const recipient = known?.email === email ? known : { ...known, ...NO_NAME, email };
  return { recipient, secrets: { token, code: code ?? '' } };
};

/** The secret of an email is issued now, and identity returns the address to send it to; secrets are never in a table or an event. */
const findAddress = async (parts: Directories, mail: ClaimedMail): Promise<Addressed> => {
  const purpose = SECRETS[mail.template];
  if (purpose === undefined) return { recipient: await findRecipient(parts, mail) };
  const issued = await issueSecret(parts, mail, purpose);
  if (issued !== null) return addressSecret(parts, mail, issued);
  return { recipient: SECRET_OPTIONAL.has(mail.template) ? await findRecipient(parts, mail) : null };
};

/** The recipient of an email, with its secret; undefined while profile may not know the user yet, null if there is none. */
export const addressMail = async (parts: Directories, mail: ClaimedMail): Promise<Addressed> => {
  const { recipient, ...rest } = await findAddress(parts, mail);
  return { recipient: recipient === undefined && !isNew(mail) ? null : recipient, ...rest };
};
