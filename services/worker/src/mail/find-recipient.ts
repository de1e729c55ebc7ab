import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { AppError } from '@shortlist/kit/process/errors';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { mailText } from './messages.ts';
import type { ClaimedMail } from './queries.ts';
import { mailedName } from './user-text.rules.ts';
import type { Recipient, Template } from './mail-data.ts';

type Mail = Pick<ClaimedMail, 'template' | 'userId'>;
type Directories = { profile: ServiceClient; identity: ServiceClient };

/** The mails that only an admin with a role may get, or only one with the role of an owner; a suspended admin has none. */
const FOR_ADMINS: Partial<Record<Template, (role: AdminRole | null) => boolean>> = {
  alert: (role) => role !== null,
  owner_added: (role) => role === 'owner',
  invitation_sent: (role) => role === 'owner',
};

const LOOKUP = asService({ timeoutMs: 1_000 });

/** Admins have accounts and no profiles. Returns null for a user who is no admin any more. */
const findAdmin = async (
  { identity }: Directories,
  { userId, template }: Mail,
): Promise<Recipient | null> => {
  const { data } = await identity(identityEndpoints.listAdmins, {}, LOOKUP);
  const admin = data.find((candidate) => candidate.userId === userId);
  if (admin === undefined || FOR_ADMINS[template]?.(admin.role) === false) return null;
  return { email: admin.email, firstName: mailText('noName'), isAdmin: true };
};

/**
 * Whether the user has confirmed the address. Until then its owner may be another person, to whom the mail says no name. The name is a
 * courtesy: a mail does not wait for identity.
 */
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

const findUser = async (directories: Directories, userId: string): Promise<Recipient | null | undefined> => {
  try {
    const { data } = await directories.profile(profileEndpoints.getProfile, { id: userId }, LOOKUP);
    const { email, firstName } = data;
    const name = (await isConfirmed(directories, { userId, email })) ? mailedName(firstName) : null;
    return { email, firstName: name ?? mailText('noName') };
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
export const findRecipient = (directories: Directories, mail: Mail): Promise<Recipient | null | undefined> =>
  FOR_ADMINS[mail.template] ? findAdmin(directories, mail) : findUserOrAdmin(directories, mail);
