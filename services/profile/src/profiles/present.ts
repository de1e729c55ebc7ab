import type { Profile } from '@shortlist/contracts/api/profile';
import type { ProfileRow } from './profile.entity.ts';

export const presentProfile = (row: ProfileRow): Profile => {
  const {
    emailVersion: _emailVersion,
    planVersion: _version,
    premiumUntil: _until,
    terms: _terms,
    createdAt,
    ...profile
  } = row;
  return { ...profile, createdAt: createdAt.toISOString() };
};
