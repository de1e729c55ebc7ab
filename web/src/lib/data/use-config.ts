import { type PublicConfig, publicEndpoints } from '@shortlist/contracts/api/public';
import type { Price } from '@shortlist/contracts/api/billing';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import useSWR, { mutate } from 'swr';
import { shellText } from '../../messages/shell.ts';
import { call } from '../api/call.ts';

type Config = {
  brand: string;
  consent: PublicConfig['consent'];
  price: Price | null;
  /** Null while no year is sold. */
  yearlyPrice?: Price | null;
  /** True before the prices are loaded too, so that what depends on it moves nothing when they are. */
  sellsYears: boolean;
  passwordMin: number;
  links: Partial<PublicConfig['links']>;
};

const NOT_LOADED: Omit<Config, 'sellsYears'> = {
  brand: shellText('brand'),
  consent: null,
  price: null,
  yearlyPrice: null,
  passwordMin: PASSWORD_MIN,
  links: {},
};

/** The installation's brand, price and external links. Until they are loaded: a default brand, no price and no links. */
export const useConfig = (): Config => {
  const { data } = useSWR<PublicConfig>(['config'], () => call(publicEndpoints.config, {}), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  return { ...NOT_LOADED, ...data, sellsYears: !data || !!data.yearlyPrice };
};

/** Loads the configuration again. */
export const revalidateConfig = (): Promise<unknown> => mutate(['config']);
