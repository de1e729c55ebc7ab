import type { Failure } from '../../lib/api/api-error.ts';

/** A failure that may pass by itself is tried again; one that is an answer to what was asked is not. */
export const isTransient = ({ status }: Failure): boolean => status === 0 || status === 429 || status >= 500;
