import type { Config } from '../config.ts';
import { NO_OPTIONS } from './checkouts.ts';
import { BACKGROUND, createStripe } from './client.ts';
import { createStripeGateway, type StripeGateway } from './gateway.ts';

/** The gateway of an operator's command, which opens no checkouts. */
export const createOperatorGateway = ({
  STRIPE_SECRET_KEY: key,
  STRIPE_API_BASE: apiBase,
}: Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>): StripeGateway =>
  createStripeGateway(createStripe({ key, apiBase, limits: BACKGROUND }), NO_OPTIONS);
