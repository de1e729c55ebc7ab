export const STRIPE_CHECKS = ['price', 'portal', 'webhook', 'webhook_events', 'api_version'] as const;
/** One check of the set-up at Stripe. `ok` is null while the result is unknown. */
export type StripeCheck = { name: (typeof STRIPE_CHECKS)[number]; ok: boolean | null; detail: string };
/** The last results; `checkedAt` is null before the first check. */
export type StripeSetup = { checkedAt: string | null; checks: StripeCheck[] };
