import type { ServerResponse } from 'node:http';
import { endUnread } from '@shortlist/kit/http/end-unread';
import type { AppError } from '@shortlist/kit/process/errors';
import { errorReply } from '@shortlist/kit/http/http';

/** What every answer of ours that is not a page carries. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const;

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...API_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
};

/** The error in the agreed form, or the end of the connection when an answer is under way already. */
export const sendError = (response: ServerResponse, error: AppError): void => {
  if (response.headersSent) return void response.destroy();
  if (error.retryAfterSeconds !== undefined) response.setHeader('retry-after', error.retryAfterSeconds);
  endUnread(response.req, response);
  sendJson(response, error.status, errorReply(error));
};
