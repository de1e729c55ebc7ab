import type { Page } from '@playwright/test';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type ErrorCode } from '@shortlist/contracts/errors';

type Endpoints = typeof publicEndpoints;
export type EndpointName = keyof Endpoints;
type ReplyOf<Name extends EndpointName> =
  Endpoints[Name] extends Endpoint<infer _Input, infer Reply> ? Reply : never;

/** What the page reads instead of the reply of bff: data, an error, or nothing as long as it waits. */
export type Replies = { [Name in EndpointName]?: ReplyOf<Name> | { failsWith: ErrorCode } | 'pending' };

type Stub = { method: string; address: RegExp; status: number; body: unknown };

/** The addresses of an endpoint: those without /api are served under it too, and the page calls them there. */
const addressOf = (path: string): RegExp =>
  new RegExp(`^${path.startsWith('/api/') ? '' : '/api'}${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`);

const stubOf = ([name, reply]: [string, Replies[EndpointName]]): Stub => {
  const { method, path, status, replySchema } = publicEndpoints[name as EndpointName];
  const request = { method, address: addressOf(path) };
  if (reply === 'pending') return { ...request, status, body: undefined };
  if (typeof reply === 'object' && 'failsWith' in reply) {
    const [errorStatus, message] = ERRORS[reply.failsWith];
    const error = { code: reply.failsWith, message, requestId: 'gallery' };
    return { ...request, status: errorStatus, body: { error } };
  }
  const { error } = replySchema?.validate(reply, { convert: false }) ?? {};
  if (error !== undefined) throw new Error(`the contract refuses the reply of ${name}: ${error.message}`);
  return { ...request, status, body: reply };
};

/** Runs in the page from its start. A route of Playwright would switch the browser's cache off. */
const STUBBED_FETCH = `{
  const callServer = window.fetch;
  window.fetch = async (input, init = {}) => {
    const { pathname } = new URL(input, location.origin);
    const stub = await findStub(init.method ?? 'GET', pathname);
    if (stub === null) return callServer(input, init);
    const headers = { 'content-type': 'application/json' };
    if (stub.body !== undefined) return new Response(JSON.stringify(stub.body), { status: stub.status, headers });
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal.reason)));
  };
}`;

/** Makes the replies to the page replaceable. Returns the function that replaces them until its next call. */
export const stubReplies = async (page: Page): Promise<(replies: Replies) => void> => {
  let stubs: Stub[] = [];
  const find = (method: string, pathname: string): Stub | null =>
    stubs.find((stub) => stub.method === method && stub.address.test(pathname)) ?? null;
  await page.exposeFunction('findStub', find);
  await page.addInitScript(STUBBED_FETCH);
  return (replies) => {
    stubs = Object.entries(replies).map(stubOf);
  };
};
