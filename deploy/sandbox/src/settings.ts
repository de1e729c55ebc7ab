import Joi from 'joi';
import { DAY } from './model/billing-cycle.rules.ts';

/** How the account behaves where Stripe leaves the choice to the account or to time. */
export type Settings = {
  /** How long after a payment its balance transaction exists; 0 means at once. */
  captureDelaySeconds: number;
  /** The days after the first attempt on which a failed renewal is retried; after the last one the subscription ends. */
  retryDays: number[];
  /** Whether the billing portal's default configuration has been saved in the dashboard. */
  portalConfigured: boolean;
  /** Invoices of renewals stay drafts with an error, as when the tax of a customer cannot be computed. */
  finalizationFails: boolean;
  /** The currency in which the account is paid out; null means the currency of each payment. */
  settlementCurrency: string | null;
  /** The price of one unit of the payment's currency in the settlement currency; null means 1. */
  exchangeRate: number | null;
};

export const DEFAULT_SETTINGS: Settings = {
  captureDelaySeconds: 0,
  retryDays: [3, 5, 7],
  portalConfigured: true,
  finalizationFails: false,
  settlementCurrency: null,
  exchangeRate: null,
};

export const settingsSchema = Joi.object<Partial<Settings>>({
  captureDelaySeconds: Joi.number().integer().min(0).max(DAY),
  retryDays: Joi.array().items(Joi.number().integer().min(1).max(60)).max(20).sort(),
  portalConfigured: Joi.boolean(),
  finalizationFails: Joi.boolean(),
  settlementCurrency: Joi.string().lowercase().length(3).allow(null),
  exchangeRate: Joi.number().positive().allow(null),
});
