import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { insertAccount } from './queries.ts';

type Row = Parameters<typeof insertAccount>[1];
type NewAdmin = Pick<Row, 'id' | 'email' | 'passwordHash'> & { role: AdminRole; now: Date };

/** The account of a new admin, whose address is confirmed. */
export const newAdmin = ({ id, email, passwordHash, role, now }: NewAdmin): Row => ({
  ...{ id, email, passwordHash, role: 'admin', createdAt: now, emailVerifiedAt: now, ownedSince: now },
  ...{ termsVersion: null, termsAcceptedAt: null },
  ...{ adminRole: role, adminVersion: 0, suspendedAt: null },
});
