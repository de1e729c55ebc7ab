import { publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';

const BRAND = 'Shortlist';

/** The installation's brand and external links. Until they are loaded there is a default brand and no links. */
export const useConfig = (): { brand: string; links: Partial<PublicConfig['links']> } => {
  const { data } = useSWR<PublicConfig>(['config'], () => call(publicEndpoints.config, {}), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  return { brand: data?.brand ?? BRAND, links: data?.links ?? {} };
};
