import Joi from 'joi';
import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../ids.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { getReferencedCustomer } from './lookup.ts';
import { configurationOf } from './portal-configurations.ts';

type CreateParams = {
  customer: string;
  configuration?: string;
  return_url?: string;
  locale?: Stripe.BillingPortal.Session.Locale;
};

const createParams = Joi.object<CreateParams>({
  customer: Joi.string().required(),
  configuration: Joi.string(),
  return_url: Joi.string().uri({ scheme: ['http', 'https'] }),
  locale: Joi.string(),
});

const create = (context: Context, params: CreateParams): Stripe.BillingPortal.Session => {
  const { id: customer } = getReferencedCustomer(context, params.customer);
  const id = newId('bps');
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: configurationOf(context, params.configuration).id,
    created: now(context),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${context.publicUrl}/p/session/${id}`,
  };
  context.state.portalSessions.set(id, session);
  return session;
};

export const portalSessionEndpoints: Endpoint[] = [
  defineEndpoint({
    method: 'post',
    path: '/v1/billing_portal/sessions',
    params: createParams,
    handle: create,
  }),
];
