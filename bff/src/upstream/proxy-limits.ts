/** How long a service may send nothing before the request fails with `service.timeout`. */
export const IDLE_RESPONSE_MS = 10_000;
/** Shorter than the keep-alive time of the services, so that none closes a connection as a request is written to it. */
export const KEEP_ALIVE_MS = 30_000;
/** The connections to one service. */
export const SOCKETS_MAX = 256;
