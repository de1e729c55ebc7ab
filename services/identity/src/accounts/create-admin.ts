import { recordSystemChange } from '@shortlist/audit/audit-log';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { ownerAdded } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import type { Hasher } from '../passwords/hasher.ts';
import { findAccountByEmail, insertAccount } from './queries.ts';

type Row = Parameters<typeof insertAccount>[1];
type NewAdminRow = Pick<Row, 'id' | 'email' | 'passwordHash'> & {
  role: AdminRole;
  name: string | null;
  now: Date;
};

/** The account of a new admin, whose address is confirmed. */
export const newAdmin = ({ id, email, passwordHash, role, name, now }: NewAdminRow): Row => ({
  id,
  email,
  passwordHash,
  role: 'admin',
  createdAt: now,
  emailVerifiedAt: now,
  ownedSince: now,
  termsVersion: null,
  termsAcceptedAt: null,
  adminRole: role,
  adminName: name,
  adminVersion: 0,
  suspendedAt: null,
});

type Parts = { db: Db; hasher: Hasher; clock: Clock };
type NewAdmin = { email: string; password: string; role?: AdminRole };

type Created = { id: string; email: string; role: AdminRole };

/** Records an admin whom no owner has invited. A new owner is reported to the other owners. */
const announce = async (tx: Tx, { id, email, role }: Created, clock: Clock): Promise<void> => {
  const data = { by: SYSTEM_ACTOR_ID };
  if (role === 'owner') await emit(tx, ownerAdded, { subject: id, data, clock });
  await recordSystemChange(tx, {
    action: 'team.create',
    targetId: id,
    after: { email, role },
    clock,
  });
};

/**
 * Creates an admin. An existing one stays unchanged, so that a repeated installation neither logs an admin out nor restores an
 * earlier password.
 */
export const createAdmin = async (
  { db, hasher, clock }: Parts,
  { email, password, role = 'owner' }: NewAdmin,
): Promise<'created' | 'unchanged'> => {
  if (await findAccountByEmail(db.manager, email, 'admin')) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  const id = uuidv7();
  await inTransaction(db, async (tx) => {
    await insertAccount(tx, newAdmin({ id, email, passwordHash, role, name: null, now: clock() }));
    await announce(tx, { id, email, role }, clock);
  });
  return 'created';
};
