import type { Scope } from './api-keys.ts';
import {
  type Declaration,
  type NoPermission,
  type PublicEndpoint,
  publicEndpoint,
  type WithRules,
} from './public-endpoint.ts';

/** An endpoint of the API for tools, with what the reference says of it. */
export type ClientEndpoint<Input, Reply> = PublicEndpoint<Input, Reply, 'clients'> & {
  /** What the key must allow. */
  scope: Scope;
  /** A phrase, and what else a reader has to know. */
  summary: string;
  description: string;
  /** Requires an Idempotency-Key. */
  isRepeatable: boolean;
};

type ClientDeclaration = { scope: Scope; summary: string; description: string; isRepeatable?: boolean };

/** Declares an endpoint for tools. They have no cookies, so that no page of another site can use them. */
export const forClients = <Input, Reply>({
  scope,
  summary,
  description,
  isRepeatable = false,
  ...declaration
}: WithRules<Input, Reply> & NoPermission & ClientDeclaration): ClientEndpoint<Input, Reply> => ({
  ...publicEndpoint<Input, Reply, 'clients'>('clients', null, {
    ...(declaration as unknown as Declaration<Input, Reply>),
    crossSiteCheck: false,
  }),
  scope,
  summary,
  description,
  isRepeatable,
});
