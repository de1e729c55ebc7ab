import type { NewAccount } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { EntitySchema, MoreThan, type ValueTransformer } from 'typeorm';

export type ProfileOfSignUp = Omit<NewAccount, 'password' | 'termsVersion'>;

/** A sign-up with the address of an account that has not confirmed it. */
export type RegistrationRow = {
  id: string;
  email: string;
  passwordHash: string;
  termsVersion: string | null;
  profile: ProfileOfSignUp;
  createdAt: Date;
  expiresAt: Date;
};

const json: ValueTransformer = {
  to: (value: unknown) => JSON.stringify(value),
  from: (text: string) => JSON.parse(text) as unknown,
};

export const registrationEntity = new EntitySchema<RegistrationRow>({
  name: 'registration',
  tableName: 'registrations',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    passwordHash: { name: 'password_hash', type: 'varchar', length: 255 },
    termsVersion: { name: 'terms_version', type: 'varchar', length: 40, nullable: true },
    profile: { type: 'text', transformer: json },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
  },
});

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
