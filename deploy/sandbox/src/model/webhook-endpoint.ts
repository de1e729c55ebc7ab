import type Stripe from 'stripe';
import type { State } from '../state.ts';

type Endpoints = Pick<State, 'webhookEndpoints'>;

const listensTo = ({ enabled_events }: Stripe.WebhookEndpoint, type: string): boolean =>
  enabled_events.includes('*') || enabled_events.includes(type);

/** Returns the endpoints created through the API that receive events of this type. */
export const endpointsFor = ({ webhookEndpoints }: Endpoints, type: string): Stripe.WebhookEndpoint[] =>
  [...webhookEndpoints.values()].filter(
    (endpoint) => endpoint.status === 'enabled' && listensTo(endpoint, type),
  );
