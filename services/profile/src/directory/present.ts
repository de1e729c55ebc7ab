import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { DirectoryRecord } from './directory-row.ts';

export const presentRow = (
  { premiumUntil, createdAt, ...row }: DirectoryRecord,
  now: Date,
): DirectoryRow => ({
  ...row,
  createdAt: createdAt.toISOString(),
  plan: premiumUntil !== null && premiumUntil > now ? 'premium' : 'free',
});
