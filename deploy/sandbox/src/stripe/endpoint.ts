import Joi from 'joi';
import type { Context } from '../context.ts';
import { type FormObject, parseParams } from './params.ts';

/** `prepare` validates and returns the handler: Stripe saves no response under the idempotency key of an invalid request. */
export type Endpoint = {
  method: 'get' | 'post' | 'delete';
  path: string;
  prepare: (raw: FormObject, id: string) => (context: Context) => object;
};

type EndpointDefinition<T> = {
  method: Endpoint['method'];
  path: string;
  params: Joi.ObjectSchema<T>;
  handle: (context: Context, params: T, id: string) => object;
};

export const defineEndpoint = <T>({ method, path, params, handle }: EndpointDefinition<T>): Endpoint => ({
  method,
  path,
  prepare: (raw, id) => {
    const parsed = parseParams(params, raw);
    return (context) => handle(context, parsed, id);
  },
});

export const NO_PARAMS = Joi.object({});

export const retrieveEndpoint = (path: string, find: (context: Context, id: string) => object): Endpoint =>
  defineEndpoint({
    method: 'get',
    path,
    params: NO_PARAMS,
    handle: (context, _params, id) => find(context, id),
  });
