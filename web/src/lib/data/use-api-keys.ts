import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useQuery } from './use-query.ts';

/** All API keys of the user, also those that are revoked or expired, the newest first. */
export const useApiKeys = () => useQuery('connections', publicEndpoints.listApiKeys, {});
