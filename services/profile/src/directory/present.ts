import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { DirectoryRecord } from './queries.ts';

export const presentRow = (
  { premiumUntil, createdAt, ...shown }: DirectoryRecord,
  now: Date,
): DirectoryRow => ({
  ...shown,
  createdAt: createdAt.toISOString(),
  plan: premiumUntil !== null && premiumUntil > now ? 'premium' : 'free',
});
