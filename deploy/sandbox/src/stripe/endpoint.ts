import Joi from 'joi';
import type { Context } from '../context.ts';
import type { FormObject } from './form-encoding.ts';
import { parseParams } from './params.ts';

/** One call of the API. Checking comes before the work, since a refused request is not kept under its key. */
export type Endpoint = {
  method: 'get' | 'post' | 'delete';
  path: string;
  prepare: (raw: FormObject, id: string) => (context: Context) => object;
};

type EndpointDefinition<T> = {
  method: Endpoint['method'];
  path: string;
  params: Joi.ObjectSchema<T>;
  run: (context: Context, params: T, id: string) => object;
};

export const defineEndpoint = <T>({ method, path, params, run }: EndpointDefinition<T>): Endpoint => ({
  method,
  path,
  prepare: (raw, id) => {
    const checked = parseParams(params, raw);
    return (context) => run(context, checked, id);
  },
});

export const NO_PARAMS = Joi.object({});

export const retrieveEndpoint = (path: string, find: (context: Context, id: string) => object): Endpoint =>
  defineEndpoint({
    method: 'get',
    path,
    params: NO_PARAMS,
    run: (context, _params, id) => find(context, id),
  });
