import type { RegisteredUser } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { insertAccount } from './queries.ts';
import { announceUser, newUser } from './register-account.ts';
import { deleteRegistrations, findRegistration } from '../registrations/queries.ts';
import { takeProvenEmail } from './take-email.ts';

const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/**
 * Makes a registration an account, once its link has proved the address: an account that has the address without that is deleted, and
 * so are the other registrations of the address. Throws `identity.link_ended`, and `identity.email_taken` when another was first.
 */
export const completeRegistration = async (tx: Tx, id: string, clock: Clock): Promise<RegisteredUser> => {
  const now = clock();
  const registration = await findRegistration(tx, id, now);
  if (registration === null) throw createError('identity.link_ended');
  const { profile } = registration;
  // The reader of the mail may be another person than the one who has signed up.
  const row = newUser(registration, { now, emailVerifiedAt: now, ownedSince: null });
  await takeProvenEmail(tx, row, { clock, store: () => insertAccount(tx, row) });
  await announceUser(tx, { row, profile }, { caller: ANONYMOUS, clock });
  await deleteRegistrations(tx, row.email);
  return { ...profile, id: row.id, createdAt: row.createdAt.toISOString() };
};
