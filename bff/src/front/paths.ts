import type { IncomingMessage } from 'node:http';

/** A named door answers at its path and under /api; one that is named with /api answers there alone. */
export const pathsOf = (path: string): string[] =>
  path.startsWith('/api/') ? [path] : [path, `/api${path}`];

const OPERATOR_PATHS = /^\/(metrics|health)(\/|$)/i;

/**
 * A question from outside about our insides. Probes and Prometheus ask a process itself; what a load balancer or an ingress passes
 * on bears their mark, which whoever sent it cannot take off.
 */
export const isExternalOperatorRequest = ({ headers }: IncomingMessage, path: string): boolean =>
  OPERATOR_PATHS.test(path) && ('x-forwarded-for' in headers || 'forwarded' in headers);
