import type { IncomingMessage } from 'node:http';
import type { SignInOrigin } from '@shortlist/contracts/api/sessions';
import { ConfigError } from '@shortlist/kit/process/config';
import { type CityResponse, open, validate } from 'maxmind';
import { storedNetworkOf } from '../limits/attempt-limit.ts';

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

/** The products that a User-Agent header names; '' where it names none that we know. Nothing else of the header is used. */
type Device = { browser: string; system: string };

type Mark = readonly [mark: RegExp, name: string];

// The first match counts: most browsers name others too, for old servers.
const BROWSERS: readonly Mark[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly Mark[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LONGEST_HEADER = 1_000;

const nameIn = (marks: readonly Mark[], text: string): string =>
  marks.find(([mark]) => mark.test(text))?.[1] ?? '';

export const deviceOf = (userAgent = ''): Device => {
  const text = userAgent.slice(0, LONGEST_HEADER);
  return { browser: nameIn(BROWSERS, text), system: nameIn(SYSTEMS, text) };
};

type Origin = { request: IncomingMessage; address: string };

/** Where a log-in comes from: its device, the network of its address, and the place of that address. */
export const originOf = (findPlace: FindPlace, { request, address }: Origin): SignInOrigin => ({
  ...deviceOf(request.headers['user-agent']),
  network: storedNetworkOf(address),
  place: findPlace(address),
});
