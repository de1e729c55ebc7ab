import type { Request, Response } from 'express';
import { NO_CAUSE, now, type Context } from '../context.ts';
import { pause, takeMatchingFault } from '../faults/active-faults.ts';
import type { Fault } from '../faults/fault.ts';
import { newId } from '../ids.ts';
import { API_VERSION } from '../model/emit-event.ts';
import { StripeError, injectedError, invalidRequest } from '../model/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { expandObject } from './expand.ts';
import { decodeForm, type FormObject } from './form-encoding.ts';
import { findSavedResponse } from './idempotency.ts';

type Call = {
  id: string;
  requestId: string;
  key: string | null;
  fingerprint: string;
  params: FormObject;
  expand: string[];
};

type Reply = {
  status: number;
  text: string;
  headers?: Record<string, string>;
};

type Exchange = {
  request: Request;
  response: Response;
};

type Arrival = {
  request: Request;
  requestId: string;
  fault: Fault | null;
};

const readExpand = (expand: FormObject[string] | undefined): string[] => {
  if (expand === undefined) return [];
  const isList = Array.isArray(expand) && expand.every((path) => typeof path === 'string');
  if (!isList) throw invalidRequest({ message: 'Invalid array', param: 'expand' });
  return expand;
};

const readCall = (request: Request, requestId: string): Call => {
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
    expand: readExpand(expand),
  };
};

type Task = {
  call: Call;
  fault: Fault | null;
};

const errorReply = (context: Context, error: unknown): Reply => {
  if (error instanceof StripeError) {
    const headers = error.status === 429 ? { 'Retry-After': '1' } : {};
    return { status: error.status, text: JSON.stringify({ error: error.body }, null, 2), headers };
  }
  context.report(error);
  return errorReply(
    context,
    new StripeError(500, { type: 'api_error', message: 'The sandbox itself failed.' }),
  );
};

const perform = (context: Context, call: Call, work: (context: Context) => object): Reply => {
  context.cause = { id: call.requestId, idempotency_key: call.key };
  try {
    const text = JSON.stringify(expandObject(context, work(context), call.expand), null, 2);
    return { status: 200, text };
  } catch (error) {
    return errorReply(context, error);
  } finally {
    context.cause = NO_CAUSE;
  }
};

const obey = async (context: Context, endpoint: Endpoint, { call, fault }: Task): Promise<Reply> => {
  if (fault && fault.delayMs > 0) await pause(fault.delayMs);
  // An injected failure stands in front of the work, so nothing is kept under the key and a retry may succeed.
  if (fault && fault.status !== null) throw injectedError(fault.status);
  const work = endpoint.prepare(call.params, call.id);
  const reply = perform(context, call, work);
  if (call.key !== null && reply.status < 500) {
    const { fingerprint, requestId } = call;
    context.state.savedResponses.set(call.key, { ...reply, fingerprint, requestId, createdAt: now(context) });
  }
  return reply;
};

const keyHeaders = (key: string, originalRequest: string): Record<string, string> => ({
  'Idempotency-Key': key,
  'Original-Request': originalRequest,
});

const replyTo = async (
  context: Context,
  endpoint: Endpoint,
  { request, requestId, fault }: Arrival,
): Promise<Reply> => {
  try {
    const call = readCall(request, requestId);
    const { key } = call;
    if (key === null) return await obey(context, endpoint, { call, fault });
    const saved = findSavedResponse(context, { key, fingerprint: call.fingerprint });
    if (saved) {
      await pause(fault?.delayMs ?? 0);
      return { ...saved, headers: { ...keyHeaders(key, saved.requestId), 'Idempotent-Replayed': 'true' } };
    }
    context.keysInFlight.add(key);
    try {
      const reply = await obey(context, endpoint, { call, fault });
      return { ...reply, headers: { ...reply.headers, ...keyHeaders(key, requestId) } };
    } finally {
      context.keysInFlight.delete(key);
    }
  } catch (error) {
    return errorReply(context, error);
  }
};

const send = (response: Response, requestId: string, { status, text, headers }: Reply): void => {
  response
    .status(status)
    .set({ 'Request-Id': requestId, 'Stripe-Version': API_VERSION, ...headers })
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
  const reply = await replyTo(context, endpoint, { request, requestId, fault });
  if (request.method !== 'GET') context.persistence.changed();
  if (fault?.reset) request.socket.destroy();
  else send(response, requestId, reply);
};

export const sendError = (context: Context, response: Response, error: StripeError): void => {
  send(response, newId('req', 14), errorReply(context, error));
};
