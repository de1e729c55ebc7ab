// Two timers of kafkajs 2.2.4, its last release, on each connection were most of what a process used at rest. One checks each millisecond
// for requests that wait to be sent, also when none waits (its issues 1556 and 1704); the other checks ten times a second for requests
// that had no response within their limit, which is seconds.
import { createRequire } from 'node:module';

type Request = { sentAt: number; requestTimeout: number; timeoutRequest: () => void };
type RequestQueue = {
  pending: readonly unknown[];
  inflight: ReadonlyMap<number, Request>;
  requestTimeoutIntervalId?: NodeJS.Timeout;
  isConnected: () => boolean;
  destroy: () => void;
  scheduleCheckPendingRequests: () => void;
  scheduleRequestTimeoutCheck: () => void;
};

const TIMEOUT_CHECK_MS = 1_000;

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
  prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;

/** Called for every request that has to wait, so nothing needs a check while none waits. */
prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};

prototype.scheduleRequestTimeoutCheck = function checkEachSecond(this: RequestQueue): void {
  this.destroy();
  this.requestTimeoutIntervalId = setInterval(() => {
    for (const request of this.inflight.values())
      // eslint-disable-next-line house/no-now -- kafkajs has noted the time of the request in the same way
      if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
    if (!this.isConnected()) this.destroy();
  }, TIMEOUT_CHECK_MS);
};
