import type { ErrorRequestHandler, Response } from 'express';

export const createErrorHandler = (
  respond: (error: Error & { status?: number }, response: Response) => void,
): ErrorRequestHandler => {
  // eslint-disable-next-line max-params -- Express recognizes an error handler by its four parameters
  return (error: Error & { status?: number }, _request, response, next) => {
    if (response.headersSent) next(error);
    else respond(error, response);
  };
};
