/** How long a service may send nothing before the request fails with `service.timeout`. */
export const IDLE_RESPONSE_MS = 10_000;
/**
 * How long a connection to a service is kept while no request uses it: less than the services keep it, and less than the drain of one
 * that is being stopped, so that none is closed as a request is written to it.
 */
export const KEEP_ALIVE_MS = 4_000;
/** The connections to one service. */
export const SOCKETS_MAX = 256;
