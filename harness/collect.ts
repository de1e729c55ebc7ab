import type { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ApiRequest, ApiResponse } from './client.ts';

export type Role = 'anonymous' | 'user' | 'admin';

/** `refusal` is the error response of every endpoint. */
export type Endpoint = keyof typeof publicEndpoints | 'refusal';

/** Calls an endpoint as a role and records the response. Throws when it is not a success. */
export type Collect = (endpoint: [Endpoint, Role], request: ApiRequest) => Promise<ApiResponse>;

export const formOf = (fields: object): FormData => {
  const form = new FormData();
  form.set('userData', JSON.stringify(fields));
  return form;
};
