import type { Failure } from './api/api-error.ts';

/** Whether a mailed link was refused because it has ended. An incomplete one counts as such. */
export const isEndedLink = (failure: Failure | null): boolean =>
  failure !== null && (failure.code === 'identity.link_ended' || failure.code === 'request.invalid');
