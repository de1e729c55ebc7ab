import type { NewAccount } from '@shortlist/contracts/api/identity';
import { EntitySchema, type ValueTransformer } from 'typeorm';

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
