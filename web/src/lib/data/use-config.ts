import { publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';

const BRAND = 'Shortlist';

/** How this installation is called and where its outside links lead; the brand is known before the reply. */
export const useConfig = (): { brand: string; links: Partial<PublicConfig['links']> } => {
  const { data } = useSWR<PublicConfig>(['config'], () => call(publicEndpoints.config, {}), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  return { brand: data?.brand ?? BRAND, links: data?.links ?? {} };
};
