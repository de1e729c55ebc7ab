import type { ErrorRequestHandler, Response } from 'express';

export const createErrorHandler = (
  show: (error: Error & { status?: number }, response: Response) => void,
): ErrorRequestHandler => {
  // eslint-disable-next-line max-params -- Express knows an error handler by its four parameters
  return (error: Error & { status?: number }, _request, response, next) => {
    if (response.headersSent) next(error);
    else show(error, response);
  };
};
