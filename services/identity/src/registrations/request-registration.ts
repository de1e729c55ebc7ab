import { registrationRequested } from '@shortlist/contracts/events/identity';
import { VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { RegistrationRow } from './registration.entity.ts';
import { insertRegistration } from './queries.ts';

const HOUR_MS = 3_600_000;

type Request = Pick<RegistrationRow, 'id' | 'passwordHash' | 'termsVersion' | 'profile'> & { clock: Clock };

/**
 * Stores a sign-up until its address is confirmed, and causes the mail for that. Without its picture, which is deleted before: no profile
 * has it.
 */
export const requestRegistration = async (tx: Tx, { clock, profile, ...signUp }: Request): Promise<void> => {
  const createdAt = clock();
  await insertRegistration(tx, {
    ...signUp,
    email: profile.email,
    profile: { ...profile, picture: null },
    createdAt,
    expiresAt: new Date(createdAt.getTime() + VERIFICATION_HOURS * HOUR_MS),
  });
  await emit(tx, registrationRequested, { subject: signUp.id, data: {}, clock });
};
