import type { StoredEvent } from './queries.ts';
import type { RefreshParts } from './refresh-subscriber.ts';

export type SyncParts = RefreshParts;

/** The reason why an event has no effect. */
export type Ignored = { ignored: string };

/**
 * What one line of the event table does. An action may run at any time, any number of times; when it throws, the event is tried
 * again later.
 */
export type EventAction = (parts: SyncParts, event: StoredEvent) => Promise<Ignored | void>;
