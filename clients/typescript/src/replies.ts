import type { components, operations } from './api-schema.ts';

type Schemas = components['schemas'];

export type Me = Schemas['Me'];
export type Entitlements = Schemas['Entitlements'];
export type Charge = Schemas['Charge'];
export type ChargeEntry = Schemas['ChargeHistory']['data'][number];
export type ChargePage = Schemas['ChargeHistory'];
export type Reservation = Schemas['Reservation'];
export type Balance = Schemas['Balance'];
export type DayOfUsage = Schemas['Usage']['data'][number];
export type Problem = Schemas['Problem'];

type JsonBody<Name extends 'charge' | 'reserve'> =
  operations[Name]['requestBody']['content']['application/json'];
type QueryOf<Name extends 'listCharges' | 'usage'> = NonNullable<operations[Name]['parameters']['query']>;

/** Without an `idempotencyKey`, the client makes one for each call. */
export type ChargeInput = JsonBody<'charge'> & { idempotencyKey?: string };
export type ReserveInput = JsonBody<'reserve'> & { idempotencyKey?: string };
/** `pageSize`: how many entries are read at a time. */
export type ChargeFilter = Omit<QueryOf<'listCharges'>, 'cursor' | 'limit'> & { pageSize?: number };
export type UsageFilter = QueryOf<'usage'>;
