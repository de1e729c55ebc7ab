import { ConfigError } from '@shortlist/kit/process/config';
import { type CityResponse, open, validate } from 'maxmind';

/** Returns the city and country of a network address, such as 'Gothenburg, Sweden'; '' where they are unknown. */
export type FindPlace = (address: string) => string;

const LONGEST_PLACE = 100;

/**
 * Opens a database of places in MaxMind's format (GeoLite2 City, or another with its fields), and reads it again when the file is
 * replaced. Without a path every place is unknown. Throws a ConfigError when the file is not such a database.
 */
export const openPlaces = async (path: string): Promise<FindPlace> => {
  if (path === '') return () => '';
  const options = { watchForUpdates: true, watchForUpdatesNonPersistent: true };
  const reader = await open<CityResponse>(path, options).catch((cause: unknown) => {
    throw new ConfigError(`cannot start: GEOIP_DATABASE (${path}) is not readable: ${String(cause)}`);
  });
  return (address) => {
    if (!validate(address)) return '';
    const found = reader.get(address);
    const names = [found?.city?.names.en, found?.country?.names.en].filter((name) => name !== undefined);
    return names.join(', ').slice(0, LONGEST_PLACE);
  };
};
