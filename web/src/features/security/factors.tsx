import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useQuery } from '../../lib/data/use-query.ts';

export const useFactors = () => useQuery('security', publicEndpoints.factors, {});
