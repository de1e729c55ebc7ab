import type { Request, Response } from 'express';
import { type Context, NO_REQUEST, now } from '../context.ts';
import { delay, type Fault, takeMatchingFault } from '../faults.ts';
import { DAY } from '../model/billing-cycle.rules.ts';
import { shortenLists } from '../model/embedded-lists.ts';
import { API_VERSION } from '../model/emit-event.ts';
import { injectedError, invalidRequest, rateLimited, StripeError } from '../model/errors.ts';
import { newId, type SavedResponse } from '../state.ts';
import type { Endpoint } from './endpoint.ts';
import { expandObject } from './pagination.ts';
import { decodeForm, type FormObject } from './params.ts';

type IdempotentRequest = {
  key: string;
  fingerprint: string;
};

const MAX_KEY_LENGTH = 255;

const deleteExpiredResponses = (context: Context): void => {
  const limit = now(context) - DAY;
  for (const [key, saved] of context.state.savedResponses) {
    // The map is in order of creation, so no expired response follows a current one.
    if (saved.createdAt > limit) return;
    context.state.savedResponses.delete(key);
  }
};

/**
 * Returns the response saved under the key, or null when the request has not run yet.
 * https://docs.stripe.com/api/idempotent_requests
 */
const findSavedResponse = (
  context: Context,
  { key, fingerprint }: IdempotentRequest,
): SavedResponse | null => {
  if (key.length > MAX_KEY_LENGTH) {
    throw invalidRequest({ message: `Idempotency keys have at most ${MAX_KEY_LENGTH} characters.` });
  }
  deleteExpiredResponses(context);
  const saved = context.state.savedResponses.get(key);
  if (saved && saved.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeError(400, { type: 'idempotency_error', message });
  }
  if (context.keysInFlight.has(key)) {
    const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
    throw new StripeError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  }
  return saved ?? null;
};

type ParsedRequest = {
  id: string;
  requestId: string;
  key: string | null;
  fingerprint: string;
  params: FormObject;
  expand: string[];
};

type ApiResponse = {
  status: number;
  text: string;
  headers?: Record<string, string>;
};

type Exchange = {
  request: Request;
  response: Response;
};

type ReceivedRequest = {
  request: Request;
  requestId: string;
  fault: Fault | null;
};

const parseExpand = (expand: FormObject[string] | undefined): string[] => {
  if (expand === undefined) return [];
  const isList = Array.isArray(expand) && expand.every((path) => typeof path === 'string');
  if (!isList) throw invalidRequest({ message: 'Invalid array', param: 'expand' });
  return expand;
};

const parseRequest = (request: Request, requestId: string): ParsedRequest => {
  const query = request.originalUrl.split('?')[1] ?? '';
  const body = typeof request.body === 'string' ? request.body : '';
  const { expand, ...params } = decodeForm([query, body].filter(Boolean).join('&'));
  const key = request.method === 'POST' ? (request.get('idempotency-key') ?? null) : null;
  const { id } = request.params;
  return {
    id: typeof id === 'string' ? id : '',
    requestId,
    key,
    fingerprint: JSON.stringify([request.method, request.baseUrl + request.path, params, expand ?? null]),
    params,
    expand: parseExpand(expand),
  };
};

type Execution = {
  parsed: ParsedRequest;
  fault: Fault | null;
};

const errorResponse = (context: Context, error: unknown): ApiResponse => {
  if (error instanceof StripeError) {
    const headers = error.status === 429 ? { 'Retry-After': '1' } : {};
    return { status: error.status, text: JSON.stringify({ error: error.body }, null, 2), headers };
  }
  context.report(error);
  return errorResponse(
    context,
    new StripeError(500, { type: 'api_error', message: 'Internal error of the sandbox.' }),
  );
};

const runHandler = (
  context: Context,
  parsed: ParsedRequest,
  handler: (context: Context) => object,
): ApiResponse => {
  context.currentRequest = { id: parsed.requestId, idempotency_key: parsed.key };
  try {
    const object = shortenLists(expandObject(context, handler(context), parsed.expand));
    const text = JSON.stringify(object, null, 2);
    return { status: 200, text };
  } catch (error) {
    return errorResponse(context, error);
  } finally {
    context.currentRequest = NO_REQUEST;
  }
};

const runEndpoint = async (
  context: Context,
  endpoint: Endpoint,
  { parsed, fault }: Execution,
): Promise<ApiResponse> => {
  if (fault && fault.delayMs > 0) await delay(fault.delayMs);
  // The injected failure precedes the handler: no response is saved under the key, so a retry can succeed.
  if (fault && fault.status !== null) throw injectedError(fault.status);
  const handler = endpoint.prepare(parsed.params, parsed.id);
  const apiResponse = runHandler(context, parsed, handler);
  if (parsed.key !== null && apiResponse.status < 500) {
    const { fingerprint, requestId } = parsed;
    context.state.savedResponses.set(parsed.key, {
      ...apiResponse,
      fingerprint,
      requestId,
      createdAt: now(context),
    });
  }
  return apiResponse;
};

const keyHeaders = (key: string, originalRequest: string): Record<string, string> => ({
  'Idempotency-Key': key,
  'Original-Request': originalRequest,
});

/** Runs the endpoint once per idempotency key. A repeated request receives the saved response. */
const runOnce = async (
  context: Context,
  endpoint: Endpoint,
  { parsed, fault, key }: Execution & { key: string },
): Promise<ApiResponse> => {
  const saved = findSavedResponse(context, { key, fingerprint: parsed.fingerprint });
  if (saved) {
    await delay(fault?.delayMs ?? 0);
    return { ...saved, headers: { ...keyHeaders(key, saved.requestId), 'Idempotent-Replayed': 'true' } };
  }
  context.keysInFlight.add(key);
  try {
    const apiResponse = await runEndpoint(context, endpoint, { parsed, fault });
    return { ...apiResponse, headers: { ...apiResponse.headers, ...keyHeaders(key, parsed.requestId) } };
  } finally {
    context.keysInFlight.delete(key);
  }
};

/** https://docs.stripe.com/rate-limits: refused calls do not count. Real time, because a clock that is advanced allows no more calls. */
const countCall = (context: Context): void => {
  const { callsPerSecond } = context.settings;
  if (callsPerSecond === null) return;
  const at = performance.now();
  context.recentCalls = context.recentCalls.filter((call) => call > at - 1_000);
  if (context.recentCalls.length >= callsPerSecond) throw rateLimited();
  context.recentCalls.push(at);
};

const createApiResponse = async (
  context: Context,
  endpoint: Endpoint,
  { request, requestId, fault }: ReceivedRequest,
): Promise<ApiResponse> => {
  try {
    countCall(context);
    if (context.settings.latencyMs > 0) await delay(context.settings.latencyMs);
    const parsed = parseRequest(request, requestId);
    const { key } = parsed;
    if (key === null) return await runEndpoint(context, endpoint, { parsed, fault });
    return await runOnce(context, endpoint, { parsed, fault, key });
  } catch (error) {
    return errorResponse(context, error);
  }
};

const send = (
  context: Context,
  response: Response,
  requestId: string,
  { status, text, headers }: ApiResponse,
): void => {
  const date = new Date(now(context) * 1_000).toUTCString();
  response
    .status(status)
    .set({ Date: date, 'Request-Id': requestId, 'Stripe-Version': API_VERSION, ...headers })
    .type('application/json')
    .send(text);
};

export const handleRequest = async (
  context: Context,
  endpoint: Endpoint,
  { request, response }: Exchange,
): Promise<void> => {
  const requestId = newId('req', 14);
  const fault = takeMatchingFault(context, request.method, request.baseUrl + request.path);
  const apiResponse = await createApiResponse(context, endpoint, { request, requestId, fault });
  if (request.method !== 'GET') context.persistence.scheduleSave();
  if (fault?.reset) request.socket.destroy();
  else send(context, response, requestId, apiResponse);
};

export const sendError = (context: Context, response: Response, error: StripeError): void => {
  send(context, response, newId('req', 14), errorResponse(context, error));
};
