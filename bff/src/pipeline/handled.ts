import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { readJson } from '@shortlist/kit/http/express-app';
import { sendJson } from '@shortlist/kit/http/respond';
import { type EndpointRule, mergeInput, parseInput } from '@shortlist/kit/http/router';
import { FORM_BYTES } from './body-size.ts';
import type { Access, Exchange, Guards, PublicEndpoint } from './public-endpoint.ts';

type Parser = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

type ReadBody = (exchange: Pick<Exchange, 'request' | 'response'>) => Promise<unknown>;

/** Returns what reads the JSON body of a request: undefined when it has none, or one of another type. */
const createReader = (bodyBytes: number): ReadBody => {
  const parse = readJson(bodyBytes) as Parser; // it uses nothing of Express's own request
  return async ({ request, response }) => {
    if (!hasBody(request)) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    parse(request, response, (error) => (error ? reject(error) : resolve(undefined)));
    await promise;
    return (request as { body?: unknown }).body;
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

type HandlerRule<Input, Reply> = Omit<EndpointRule<Input, Reply, Exchange>, 'owner' | 'roles'> &
  Access &
  Guards & {
    /** A form is left unread: the handler reads it, and checks its size, once it knows that the caller may send one. */
    body?: 'json' | 'form';
    bodyBytes?: number;
  };

/** An endpoint whose response is composed by bff: the input is validated against its schema, the result sent as JSON. */
export const handled = <Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  {
    input,
    body = 'json',
    bodyBytes = FORM_BYTES,
    status = 200,
    handle,
    ...guards
  }: HandlerRule<Input, Reply>,
): PublicEndpoint => {
  const readBody: ReadBody = body === 'json' ? createReader(bodyBytes) : () => Promise.resolve(undefined);
  return {
    method: endpoint.method,
    path: endpoint.path,
    bodyBytes: body === 'form' ? Infinity : bodyBytes,
    ...guards,
    respond: async (exchange) => {
      const { response, url, params } = exchange;
      const query = parseQuery(url.search.slice(1));
      const merged = mergeInput({ query, body: await readBody(exchange), params });
      sendJson(response, status, await handle({ ...exchange, input: parseInput(input, merged) }));
    },
  };
};
