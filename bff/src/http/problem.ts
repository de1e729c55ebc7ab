import { type ErrorCode, errorMessage, ERRORS } from '@shortlist/contracts/errors';
import { type ErrorFormat, requestId } from '@shortlist/kit/http/respond';

/** An error of the API for apps. Source: RFC 9457; `code`, `requestId` and `errors` are our extensions. */
export type Problem = {
  /** The place in the reference that explains it. */
  type: string;
  title: string;
  status: number;
  detail?: string;
  code: string;
  requestId: string;
  /** What is wrong with which field of the input. */
  errors?: { field: string; detail: string }[];
};

/** An error at an address of OAuth (RFC 6749, 5.2) that OAuth does not define: a limit, or a service that is away. */
export const oauthFormat: ErrorFormat = ({ code, status, retryAfterSeconds }) => ({
  type: 'application/json',
  body: {
    error: status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request',
    error_description: errorMessage(code, retryAfterSeconds),
  },
});

/** Where the message of our pages speaks of a form. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  'request.invalid': 'The input is not valid. See errors.',
};

/** The title of an error of this code, which the reference explains it by. */
export const titleOf = (code: ErrorCode): string => TITLES[code] ?? ERRORS[code][1];

export const problemFormat: ErrorFormat = ({ code, status, fields, retryAfterSeconds }) => {
  const title = titleOf(code);
  const detail = code in TITLES ? title : errorMessage(code, retryAfterSeconds);
  const body: Problem = {
    type: `/api/v1/reference#${code}`,
    title,
    status,
    ...(detail === title ? {} : { detail }),
    code,
    requestId: requestId(),
    ...(fields === undefined
      ? {}
      : { errors: Object.entries(fields).map(([field, text]) => ({ field, detail: text })) }),
  };
  return { type: 'application/problem+json', body };
};
