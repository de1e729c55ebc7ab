// kafkajs 2.2.4, its last release, checks on each connection for requests that wait to be sent, with a timer of one millisecond that
// restarts itself also when none waits (its issues 1556 and 1704). At rest, that was most of what a process used.
import { createRequire } from 'node:module';

type RequestQueue = { pending: readonly unknown[]; scheduleCheckPendingRequests: () => void };

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
  prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;

/** Called for every request that has to wait, so nothing needs a check while none waits. */
prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
