import Joi from 'joi';
import type Stripe from 'stripe';
import { invalidRequest } from '../model/errors.ts';
import type { PaymentDraft } from '../state.ts';
import { mergeMetadata, metadataParam, type MetadataPatch, textParam } from './params.ts';

type Mode = 'subscription' | 'payment';
type Described = { metadata?: MetadataPatch; description?: string };
type SubscriptionData = Described & { trial_period_days?: number };

/** The parameters of a session that sells a subscription, or takes a payment once. */
export type ModeParams = {
  mode: Mode;
  subscription_data?: SubscriptionData;
  payment_intent_data?: Described;
  invoice_creation?: { enabled: boolean; invoice_data?: { metadata?: MetadataPatch } };
};

const described = { metadata: metadataParam, description: textParam };
const describedParam = Joi.object(described);

export const modeParams = {
  mode: Joi.string().valid('subscription', 'payment').required(),
  subscription_data: Joi.object({
    ...described,
    trial_period_days: Joi.number().integer().min(1).max(730),
  }),
  payment_intent_data: describedParam,
  invoice_creation: Joi.object({
    enabled: Joi.boolean().required(),
    invoice_data: Joi.object({ metadata: metadataParam }),
  }),
};

const OF_OTHER_MODE = {
  subscription: ['payment_intent_data', 'invoice_creation'],
  payment: ['subscription_data'],
} as const;

/** Refuses the parameters that Stripe takes in the other mode only. */
export const requireModeParams = ({ mode, ...params }: ModeParams): void => {
  const param = OF_OTHER_MODE[mode].find((name) => params[name] !== undefined);
  if (param === undefined) return;
  const message = `You can not pass \`${param}\` in \`${mode}\` mode.`;
  throw invalidRequest({ message, param });
};

export const requirePriceOfMode = (price: Stripe.Price, mode: Mode, param: string): void => {
  if (mode === 'subscription' && !price.recurring) {
    const message = 'You must provide at least one recurring price in `subscription` mode.';
    throw invalidRequest({ message, param });
  }
  if (mode === 'payment' && price.recurring) {
    const message =
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.';
    throw invalidRequest({ message, param });
  }
};

/** A payment without an invoice would need objects of its own in the sandbox. */
const invoiceMetadataOf = ({ invoice_creation: creation }: ModeParams): Stripe.Metadata => {
  if (creation?.enabled !== true)
    throw invalidRequest({ message: 'The sandbox supports `payment` mode with `invoice_creation` only.' });
  return mergeMetadata({}, creation.invoice_data?.metadata);
};

export const paymentDraftOf = (
  params: ModeParams & { automatic_tax?: { enabled: boolean } },
): PaymentDraft => ({
  metadata: mergeMetadata({}, params.payment_intent_data?.metadata),
  description: params.payment_intent_data?.description ?? null,
  automaticTax: params.automatic_tax?.enabled ?? false,
  invoiceMetadata: invoiceMetadataOf(params),
});

/** Returns the fields of a session that differ by its mode. */
export const modeFields = (params: ModeParams): Partial<Stripe.Checkout.Session> =>
  params.mode === 'subscription'
    ? { mode: params.mode }
    : {
        mode: params.mode,
        payment_method_collection: 'if_required',
        invoice_creation: {
          enabled: true,
          invoice_data: {
            account_tax_ids: null,
            custom_fields: null,
            description: null,
            footer: null,
            issuer: null,
            metadata: invoiceMetadataOf(params),
            rendering_options: null,
          },
        },
      };
