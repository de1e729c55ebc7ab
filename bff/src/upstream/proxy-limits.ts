/** The time limits of calls that bff passes on, in milliseconds. */
export type ProxyLimits = {
  /** How long a service may send nothing before the request fails with `service.timeout`. */
  idleResponseMs: number;
  /**
   * How long a connection to a service is kept while no request uses it: less than the services keep it, and less than the drain of
   * one that is being stopped, so that none is closed as a request is written to it.
   */
  keepAliveMs: number;
};

export const PROXY_LIMITS: ProxyLimits = { idleResponseMs: 10_000, keepAliveMs: 4_000 };

/** The connections to one service. */
export const SOCKETS_MAX = 256;
