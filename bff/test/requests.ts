import type { Method } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { examplePath } from '@shortlist/contracts/testing/examples';
import { uuidv7 } from 'uuidv7';
import { field, form, MULTIPART } from './multipart.ts';

export type EndpointName = keyof typeof publicEndpoints;
export const endpointNames = Object.keys(publicEndpoints) as EndpointName[];

type Declared = { method: Method; path: string; body: 'json' | 'form' | 'stream' };
/** An endpoint, or a method and a target. */
export type Operation = EndpointName | Declared | `${Method | 'HEAD' | 'OPTIONS'} ${string}`;

export type Input = {
  /** Every parameter of the path; an id that nothing has unless a test names one. */
  id?: string;
  query?: string;
  token?: string;
  /** JSON, or the fields of a form. Text and bytes are sent as they are. */
  body?: object | string;
  headers?: Record<string, string>;
};

const declarationOf = (operation: Operation): Omit<Declared, 'method'> & { method: string } => {
  if (typeof operation !== 'string') return operation;
  if (operation in publicEndpoints) return publicEndpoints[operation as EndpointName];
  const [method = '', path = ''] = operation.split(' ', 2);
  return { method, path, body: 'json' };
};

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** A form with these fields, in addition to what else it has. */
export const userForm = (fields: object, ...parts: Buffer[]): Buffer =>
  form(field('userData', JSON.stringify(fields)), ...parts);

/** The request of an operation as a client sends it. A POST or PUT without a body of its own has an empty object; one of '' has none. */
export const requestOf = (
  operation: Operation,
  { id = uuidv7(), query = '', token, body, headers = {} }: Input = {},
): { target: string; method: string; headers: Record<string, string>; body?: string | Buffer } => {
  const { method, path, body: kind } = declarationOf(operation);
  const input = body ?? (method === 'POST' || method === 'PUT' ? {} : '');
  const encode = kind === 'form' ? userForm : JSON.stringify;
  const content = typeof input === 'string' || Buffer.isBuffer(input) ? input : encode(input);
  return {
    target: `${examplePath({ path }, id)}${query}`,
    method,
    headers: {
      ...(token !== undefined && bearer(token)),
      ...(content !== '' && { 'content-type': kind === 'form' ? MULTIPART : 'application/json' }),
      ...headers,
    },
    ...(content !== '' && { body: content }),
  };
};
