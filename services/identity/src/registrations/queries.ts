import type { Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { MoreThan } from 'typeorm';
import { registrationEntity, type RegistrationRow } from './registration.entity.ts';

/** A registration that was not confirmed is deleted once its link has ended. */
export const EXPIRED_REGISTRATIONS: PruneRule = {
  days: 0,
  remove: 'DELETE FROM registrations WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
};

export const insertRegistration = async (tx: Tx, row: RegistrationRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(registrationEntity).values(row).updateEntity(false).execute();
};

export const findRegistration = (tx: Tx, id: string, now: Date): Promise<RegistrationRow | null> =>
  tx.getRepository(registrationEntity).findOneBy({ id, expiresAt: MoreThan(now) });

/** Deletes every registration of an address. */
export const deleteRegistrations = async (tx: Tx, email: string): Promise<void> => {
  await tx.getRepository(registrationEntity).delete({ email });
};
