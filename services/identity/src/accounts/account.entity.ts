import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import type { KeptFor, Role } from '@shortlist/contracts/api/identity';
import { EntitySchema } from 'typeorm';

export type AccountRow = {
  id: string;
  email: string;
  passwordHash: string;
  role: Role;
  createdAt: Date;
  /** The terms that the user accepted at sign-up; null for accounts that an admin created, and where no terms were set. */
  termsVersion: string | null;
  termsAcceptedAt: Date | null;
  /** Null until the user has confirmed the address. Accounts of admins, and those that an admin created, are confirmed. */
  emailVerifiedAt: Date | null;
  /** When the user was reminded to confirm the address; null until then. */
  remindedAt: Date | null;
  /** Why the account is kept although its address is not confirmed; null for one that is not in use, or not known to be. */
  keptFor: KeptFor | null;
  /** Grows with each change of the address, which orders the events about it. */
  emailVersion: number;
  /**
   * When the user of the account proved to read its mail, by a code in a session or by a password set from a mail. Null before: the
   * account may be that of another person, who has signed up with this address or has requested the change to it.
   */
  ownedSince: Date | null;
  /** The codes of mails that were tried since `codeTriesSince`. */
  codeTries: number;
  codeTriesSince: Date | null;
  /** Grows with each change that ends what began before it: sessions, log-ins under way and trusted devices. */
  generation: number;
  /** Null for users. */
  adminRole: AdminRole | null;
  /** Grows with each change of what an admin may do. */
  adminVersion: number;
  /** Set while an admin is suspended. */
  suspendedAt: Date | null;
};

/** A row as it is inserted; the table has the defaults of the other columns. */
export type NewAccountRow = Omit<
  AccountRow,
  'emailVersion' | 'generation' | 'codeTries' | 'codeTriesSince' | 'remindedAt' | 'keptFor'
>;

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    passwordHash: { name: 'password_hash', type: 'varchar', length: 255 },
    role: { type: 'enum', enum: ['user', 'admin'] },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    termsVersion: { name: 'terms_version', type: 'varchar', length: 40, nullable: true },
    termsAcceptedAt: { name: 'terms_accepted_at', type: 'datetime', precision: 3, nullable: true },
    adminRole: { name: 'admin_role', type: 'enum', enum: [...ADMIN_ROLES], nullable: true },
    adminVersion: { name: 'admin_version', type: 'int', unsigned: true, default: 0 },
    suspendedAt: { name: 'suspended_at', type: 'datetime', precision: 3, nullable: true },
    emailVerifiedAt: { name: 'email_verified_at', type: 'datetime', precision: 3, nullable: true },
    ownedSince: { name: 'owned_since', type: 'datetime', precision: 3, nullable: true },
    codeTries: { name: 'code_tries', type: 'int', unsigned: true, default: 0 },
    codeTriesSince: { name: 'code_tries_since', type: 'datetime', precision: 3, nullable: true },
    generation: { type: 'int', unsigned: true, default: 0 },
    remindedAt: { name: 'reminded_at', type: 'datetime', precision: 3, nullable: true },
    keptFor: { name: 'kept_for', type: 'varchar', length: 10, nullable: true },
    emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
  },
});
