import type { Profile } from '@shortlist/contracts/api/profile';
import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ProfileRow } from './profile.entity.ts';

export const presentProfile = (row: ProfileRow): Profile => {
  const { planVersion: _version, premiumUntil: _until, createdAt, ...shown } = row;
  return { ...shown, createdAt: createdAt.toISOString() };
};

export const presentDirectoryRow = (row: ProfileRow, now: Date): DirectoryRow => ({
  id: row.id,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  organizationName: row.organizationName,
  country: row.country,
  picture: row.picture,
  createdAt: row.createdAt.toISOString(),
  plan: row.premiumUntil !== null && row.premiumUntil > now ? 'premium' : 'free',
});
