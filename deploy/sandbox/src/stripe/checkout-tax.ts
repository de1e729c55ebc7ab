import Joi from 'joi';
import type Stripe from 'stripe';
import { invalidRequest } from '../model/errors.ts';

type Switch = { enabled: boolean };

export type TaxParams = {
  automatic_tax?: Switch;
  tax_id_collection?: Switch;
  allow_promotion_codes?: boolean;
  customer_update?: { address?: 'auto' | 'never'; name?: 'auto' | 'never' };
};

const switchParam = Joi.object<Switch>({ enabled: Joi.boolean().required() });
const updateParam = Joi.string().valid('auto', 'never');

export const taxParams = {
  automatic_tax: switchParam,
  tax_id_collection: switchParam,
  allow_promotion_codes: Joi.boolean(),
  customer_update: Joi.object({ address: updateParam, name: updateParam }),
};

type Switches = { isTaxed: boolean; collectsTaxIds: boolean };

const switchesOf = ({ automatic_tax, tax_id_collection }: TaxParams): Switches => ({
  isTaxed: automatic_tax?.enabled === true,
  collectsTaxIds: tax_id_collection?.enabled === true,
});

const requireSavedAddress = (customer: Stripe.Customer, params: TaxParams): void => {
  const { isTaxed } = switchesOf(params);
  if (isTaxed && !customer.address && params.customer_update?.address !== 'auto') {
    const message =
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.";
    throw invalidRequest({ message, code: 'customer_tax_location_invalid' });
  }
};

const requireSavedName = (params: TaxParams): void => {
  const { collectsTaxIds } = switchesOf(params);
  if (collectsTaxIds && params.customer_update?.name !== 'auto') {
    const message =
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.';
    throw invalidRequest({ message, param: 'tax_id_collection' });
  }
};

/** Refuses what Checkout cannot do for an existing customer without saving their address or name. */
export const requireTaxParams = (customer: Stripe.Customer | null, params: TaxParams): void => {
  if (customer !== null) {
    requireSavedAddress(customer, params);
    requireSavedName(params);
  } else if (params.customer_update !== undefined) {
    const message = '`customer_update` can only be used with `customer`.';
    throw invalidRequest({ message, param: 'customer_update' });
  }
};

const TAXED: Stripe.Checkout.Session.AutomaticTax = {
  enabled: true,
  liability: { type: 'self' },
  provider: 'stripe',
  status: 'requires_location_inputs',
};

/** Returns the fields of a session that these parameters set. */
export const taxFields = (params: TaxParams): Partial<Stripe.Checkout.Session> => {
  const { isTaxed, collectsTaxIds } = switchesOf(params);
  return {
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    ...(isTaxed && { automatic_tax: TAXED }),
    ...(collectsTaxIds && { tax_id_collection: { enabled: true, required: 'never' } }),
  };
};
