import type { AlertView } from './alerts.ts';
import type { StripeSetup } from './stripe-setup.ts';

/** What needs an operator's eye. */
export type SystemView = { stripe: StripeSetup; alerts: AlertView[] };
