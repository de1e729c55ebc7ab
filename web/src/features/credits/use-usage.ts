import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useQuery } from '../../lib/data/use-query.ts';
import { utcToday } from '../../lib/dates.ts';
import { useUrlParams } from '../../lib/url-filters.ts';
import { isTooLong, periodOf } from './usage.rules.ts';

/** The period of the usage, which is in the URL. */
export const useUsagePeriod = () => {
  const { params, change } = useUrlParams();
  const choice = { period: params.get('period'), first: params.get('first'), last: params.get('last') };
  return { params, change, period: periodOf(choice, utcToday()) };
};

/** Requests nothing for a period that the server would refuse. */
export const useUsage = () => {
  const { period } = useUsagePeriod();
  const isRefused = isTooLong(period);
  const query = useQuery('credits', publicEndpoints.creditsUsage, isRefused ? null : period);
  return isRefused ? { ...query, data: [] } : query;
};
