// The requests with which an action changes something at Stripe. An event names the request that caused it, so an action that applies the result of
// its own requests needs no refresh for their events.
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string[]>();

/** Runs an action and collects its requests. */
export const collectRequests = <T>(action: () => Promise<T>): Promise<T> => current.run([], action);

/** Adds the id of a request that has changed something. */
export const addRequest = (requestId: string): void => void current.getStore()?.push(requestId);

/** The ids of the current action's requests until now. */
export const listOwnRequests = (): string[] => [...(current.getStore() ?? [])];
