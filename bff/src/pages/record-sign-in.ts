import { signInEndpoints, type SignInMethod, type SignInOrigin } from '@shortlist/contracts/api/sign-ins';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { storedNetworkOf } from '../limits/network.ts';
import { logIns } from '../metrics.ts';
import type { Exchange } from '../http/endpoint.ts';
import type { FindPlace } from '../places/places.ts';
import { deviceOf } from '../session/device.ts';
import { SERVICE_CALLER, type Services } from '../upstream/services.ts';

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

const AS_SERVICE = { caller: SERVICE_CALLER } as const;

type SignIn = { id: string; method: SignInMethod; sessionId: string; isKnownDevice: boolean };

export type CountLogIn = (method: SignInMethod, outcome: 'succeeded' | 'failed' | 'locked') => void;

/** Adds log-ins to the metrics. Returns the function that counts one. */
export const createLogInCounter = (metrics: Metrics): CountLogIn => {
  const counter = metrics.counter(logIns);
  return (method, outcome) => counter.inc({ method, outcome });
};

/** Adds a log-in to the history of its account. A log-in does not fail because its history does. */
export const recordSignIn = async (parts: SignInParts, exchange: Origin, signIn: SignIn): Promise<void> => {
  parts.countLogIn(signIn.method, 'succeeded');
  const input = { ...originOf(parts, exchange), ...signIn };
  await parts.services
    .identity(signInEndpoints.recordSignIn, input, AS_SERVICE)
    .catch((error: unknown) => parts.log.warn({ err: error }, 'log-in not recorded'));
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
    .identity(signInEndpoints.recordFailedSignIn, { ...originOf(parts, exchange), ...failure }, AS_SERVICE)
    .catch((error: unknown) => parts.log.warn({ err: error }, 'failed log-in not recorded'));
};
