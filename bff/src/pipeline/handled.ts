import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { JSON_LIMIT } from '@shortlist/kit/http/express-app';
import { sendJson } from '@shortlist/kit/http/respond';
import { type EndpointRule, mergeInput, parseInput } from '@shortlist/kit/http/router';
import express from 'express';
import type { Access, Exchange, Guards, PublicEndpoint } from './public-endpoint.ts';

type Parser = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

const parseJson = express.json({ limit: JSON_LIMIT, strict: true }) as Parser; // it uses nothing of Express's own request

/** The JSON body of a request; undefined when it has none, or one of another type. */
const readJson = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  parseJson(request, response, (error) => (error ? reject(error) : resolve(undefined)));
  await promise;
  return (request as { body?: unknown }).body;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

type HandlerRule<Input, Reply> = Omit<EndpointRule<Input, Reply, Exchange>, 'owner' | 'roles'> &
  Access &
  Guards & {
    /** A form is left unread: the handler reads it once it knows that the caller may send one. */
    body?: 'json' | 'form';
  };

/** An endpoint whose response is composed by bff: the input is validated against its schema, the result sent as JSON. */
export const handled = <Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  { input, body = 'json', status = 200, handle, ...guards }: HandlerRule<Input, Reply>,
): PublicEndpoint => ({
  method: endpoint.method,
  path: endpoint.path,
  ...guards,
  respond: async (exchange) => {
    const { request, response, url, params } = exchange;
    const json = body === 'json' && hasBody(request) ? await readJson(request, response) : undefined;
    const merged = mergeInput({ query: parseQuery(url.search.slice(1)), body: json, params });
    sendJson(response, status, await handle({ ...exchange, input: parseInput(input, merged) }));
  },
});
