import type { ServerResponse } from 'node:http';
import { createError } from '../process/errors.ts';

/**
 * Aborts with `request.aborted` when the client closes its connection before the response is complete, so that work without a
 * recipient is dropped.
 */
export const closedSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort(createError('request.aborted'));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
};
