import { type Price, publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { shellText } from '../../messages/shell.ts';

type Config = { brand: string; price: Price | null; links: Partial<PublicConfig['links']> };

/** The installation's brand, price and external links. Until they are loaded: a default brand, no price and no links. */
export const useConfig = (): Config => {
  const { data } = useSWR<PublicConfig>(['config'], () => call(publicEndpoints.config, {}), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  return { brand: data?.brand ?? shellText('brand'), price: data?.price ?? null, links: data?.links ?? {} };
};
