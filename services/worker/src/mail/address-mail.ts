// To whom a mail goes, by which name, and with which secret.
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
import { mailText } from './messages.ts';
import { mailedName, unconfirmedName } from './user-text.rules.ts';

type Mail = Pick<ClaimedMail, 'template' | 'userId'>;
type Directories = { profile: ServiceClient; identity: ServiceClient };

/** The mails that only an admin with a role may get, or only one with the role of an owner; a suspended admin has none. */
const FOR_ADMINS: Partial<Record<Template, (role: AdminRole | null) => boolean>> = {
  alert: (role) => role !== null,
  owner_added: (role) => role === 'owner',
  invitation_sent: (role) => role === 'owner',
};

const LOOKUP = asService({ timeoutMs: 1_000 });

/** Admins enter their names themselves, once a link in the mailbox was opened: no other person chose the name. */
const nameOfAdmin = ({ name }: AdminView): string => mailedName(name ?? '') || mailText('noName');

/** Admins have accounts and no profiles. Returns null for a user who is no admin any more. */
const findAdmin = async (
  { identity }: Directories,
  { userId, template }: Mail,
): Promise<Recipient | null> => {
  const { data } = await identity(identityEndpoints.listAdmins, {}, LOOKUP);
  const admin = data.find((candidate) => candidate.userId === userId);
  if (admin === undefined || FOR_ADMINS[template]?.(admin.role) === false) return null;
  return { email: admin.email, firstName: nameOfAdmin(admin), isAdmin: true };
};

/** Whether the user has confirmed the address. The name is a courtesy: a mail does not wait for identity. */
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
 * Until an address is confirmed, its owner may be another person, whom a stricter rule keeps from what somebody else typed. identity is
 * asked for those names alone that only the other rule lets through.
 */
const nameOfUser = async (
  directories: Directories,
  { userId, email, firstName }: { userId: string; email: string; firstName: string },
): Promise<string> => {
  const [strict, confirmed] = [unconfirmedName(firstName), mailedName(firstName)];
  const isStrictEnough = strict !== null || confirmed === null;
  const name = isStrictEnough || !(await isConfirmed(directories, { userId, email })) ? strict : confirmed;
  return name ?? mailText('noName');
};

/** profile is asked when the mail is sent: the user may have another address by now, or may be deleted. */
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

/** An account without a profile is an admin's, or that of a user whom profile does not know yet. */
const findUserOrAdmin = async (
  directories: Directories,
  mail: Mail,
): Promise<Recipient | null | undefined> => {
  const user = await findUser(directories, mail.userId);
  if (user !== undefined) return user;
  return (await findAdmin(directories, mail)) ?? undefined;
};

/** Returns null for a deleted user, undefined for a user whom profile does not know, possibly not yet. */
const findRecipient = (directories: Directories, mail: Mail): Promise<Recipient | null | undefined> =>
  FOR_ADMINS[mail.template] ? findAdmin(directories, mail) : findUserOrAdmin(directories, mail);

/** The mails with a secret in their link, and what the secret is for. */
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

/** The mails to an address that has no account yet. */
const WITHOUT_ACCOUNT = new Set<Template>(['admin_invitation', 'confirm_registration']);

/** The mails that are sent without a secret to a user who needs none. */
const SECRET_OPTIONAL = new Set<Template>(['welcome']);

const ISSUE = asService({ timeoutMs: 2_000 });

/** The secret of a mail, issued now. Returns null when there is no account any more, or nothing left to do for its user. */
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

const NO_NAME = { email: '', firstName: mailText('noName') };

/** Who has just signed up, by the name in the event: identity has said that the account exists, and has not confirmed the address. */
const newUserOf = ({ data: { firstName } }: ClaimedMail, email: string): Recipient | null =>
  firstName === undefined ? null : { email, firstName: unconfirmedName(firstName) ?? mailText('noName') };

/**
 * The name comes from the event or the directory; without one, after a while, the mail does without a name. So does a mail to another
 * address than the account's, which the user has not confirmed or has given up.
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

/** A mail with a secret gets it now, and goes to the address that identity names with it; secrets are in no table and no event. */
const findAddress = async (parts: Directories, mail: ClaimedMail): Promise<Addressed> => {
  const purpose = SECRETS[mail.template];
  if (purpose === undefined) return { recipient: await findRecipient(parts, mail) };
  const issued = await issueSecret(parts, mail, purpose);
  if (issued !== null) return addressSecret(parts, mail, issued);
  return { recipient: SECRET_OPTIONAL.has(mail.template) ? await findRecipient(parts, mail) : null };
};

/** The recipient of a mail, with its secret: undefined while profile may not know the user yet, null for nobody. */
export const addressMail = async (parts: Directories, mail: ClaimedMail): Promise<Addressed> => {
  const { recipient, ...rest } = await findAddress(parts, mail);
  return { recipient: recipient === undefined && !isNew(mail) ? null : recipient, ...rest };
};
