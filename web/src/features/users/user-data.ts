// What several tabs of a user share, apart from what the tabs are made of, which loads when they open.
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { partyText } from '@shortlist/contracts/audit-log';
import { useQuery } from '../../lib/data/use-query.ts';

/** The credits of a user, by their source. */
export const useUserBuckets = (userId: string) =>
  useQuery('directory', publicEndpoints.userBuckets, { userId });

/** The sessions of a user, the most recently used first. */
export const useUserDevices = (userId: string) =>
  useQuery('directory', publicEndpoints.listUserDevices, { id: userId });

/** The author of a note; one who is no admin any more has no name. */
export const authorOf = (author: string): string => (author === '' ? partyText('former_admin') : author);
