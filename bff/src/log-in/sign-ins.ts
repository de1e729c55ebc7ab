import {
  type NewSignIn,
  signInEndpoints,
  type SignInMethod,
  type SignInOrigin,
} from '@shortlist/contracts/api/sessions';
import { asService } from '@shortlist/kit/http/http-client';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { ConfigError } from '@shortlist/kit/process/config';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { type CityResponse, open, validate } from 'maxmind';
import type { Exchange } from '../http/endpoint.ts';
import { storedNetworkOf } from '../limits/subjects.ts';
import { logIns } from '../metrics.ts';
import type { SessionRole } from '../session/session.ts';
import type { Services } from '../upstream/services.ts';

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

export type SignInParts = { services: Services; findPlace: FindPlace; log: Log; countLogIn: CountLogIn };
type Origin = Pick<Exchange, 'request' | 'address'>;

/** Where a log-in comes from: its device, the network of its address, and the place of that address. */
export const originOf = (
  { findPlace }: Pick<SignInParts, 'findPlace'>,
  { request, address }: Origin,
): SignInOrigin => ({
  ...deviceOf(request.headers['user-agent']),
  network: storedNetworkOf(address),
  place: findPlace(address),
});

type SignIn = Omit<NewSignIn, keyof SignInOrigin>;

export type CountLogIn = (method: SignInMethod, outcome: 'succeeded' | 'failed' | 'locked') => void;

/** Adds log-ins to the metrics. Returns the function that counts one. */
export const createLogInCounter = (metrics: Metrics): CountLogIn => {
  const counter = metrics.counter(logIns);
  return (method, outcome) => counter.inc({ method, outcome });
};

/**
 * Adds a complete log-in to the history of its account, whichever steps it took, and that of an admin to the audit log. A user's
 * log-in does not fail because its history does; an admin's does, since the audit log has every one.
 */
export const recordSignIn = async (
  { services, log, countLogIn, ...parts }: SignInParts,
  exchange: Origin,
  { role, ...signIn }: SignIn & { role: SessionRole },
): Promise<void> => {
  const input = { ...originOf(parts, exchange), ...signIn };
  // The address is for the audit log; the history has its network.
  const caller = { ...SERVICE_CALLER, address: exchange.address };
  await services.identity(signInEndpoints.recordSignIn, input, { caller }).catch((error: unknown) => {
    if (role === 'admin') throw error;
    log.warn({ err: error }, 'log-in not recorded');
  });
  countLogIn(signIn.method, 'succeeded');
};

type Failure = { method: SignInMethod; isLocking: boolean } & (
  { id: string } | { email: string; role: 'user' | 'admin' }
);

/**
 * Adds a failed log-in to the history of its account, if there is one. The response must not wait for it: how long it takes depends
 * on whether the account exists.
 */
export const recordFailedSignIn = (parts: SignInParts, exchange: Origin, failure: Failure): void => {
  parts.countLogIn(failure.method, failure.isLocking ? 'locked' : 'failed');
  parts.services
    .identity(signInEndpoints.recordFailedSignIn, { ...originOf(parts, exchange), ...failure }, asService())
    .catch((error: unknown) => parts.log.warn({ err: error }, 'failed log-in not recorded'));
};
