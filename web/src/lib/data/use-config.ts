import { type Price, publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import useSWR, { mutate } from 'swr';
import { call } from '../api/call.ts';
import { shellText } from '../../messages/shell.ts';

type Config = {
  brand: string;
  consent: PublicConfig['consent'];
  price: Price | null;
  links: Partial<PublicConfig['links']>;
};

const NOT_LOADED: Config = { brand: shellText('brand'), consent: null, price: null, links: {} };

/** The installation's brand, price and external links. Until they are loaded: a default brand, no price and no links. */
export const useConfig = (): Config => {
  const { data } = useSWR<PublicConfig>(['config'], () => call(publicEndpoints.config, {}), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  return { ...NOT_LOADED, ...data };
};

/** Loads the configuration again. */
export const revalidateConfig = (): Promise<unknown> => mutate(['config']);
