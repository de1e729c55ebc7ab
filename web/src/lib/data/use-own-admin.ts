import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useQuery } from './use-query.ts';

/** The admin of this browser. */
export const useOwnAdmin = () => useQuery('security', publicEndpoints.ownAdmin, {});
