import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { invalidRequest } from '../model/errors.ts';
import { newId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import {
  getReferenced,
  getReferencedCustomer,
  matches,
  pageParams,
  type PageParams,
  paginate,
} from './pagination.ts';
import { mergeMetadata, metadataParam, type MetadataPatch } from './params.ts';

type Configuration = Stripe.BillingPortal.Configuration;

type Feature = { enabled: boolean };

type CreateParams = {
  name?: string;
  features: {
    customer_update: Feature & {
      allowed_updates: Configuration['features']['customer_update']['allowed_updates'];
    };
    invoice_history: Feature;
    payment_method_update: Feature;
    subscription_cancel: Feature & { mode: 'at_period_end' | 'immediately' };
  };
  business_profile: Configuration['business_profile'];
  default_return_url?: string;
  metadata?: MetadataPatch;
};

const enabled = Joi.boolean().required();
const url = Joi.string().uri({ scheme: ['http', 'https'] });
const CUSTOMER_FIELDS = ['address', 'email', 'name', 'phone', 'shipping', 'tax_id'];
const OFF = { enabled: false };

const createParams = Joi.object<CreateParams>({
  name: Joi.string().max(64),
  features: Joi.object({
    customer_update: Joi.object({
      enabled,
      allowed_updates: Joi.array()
        .items(Joi.string().valid(...CUSTOMER_FIELDS))
        .default([]),
    }).default({ ...OFF, allowed_updates: [] }),
    invoice_history: Joi.object({ enabled }).default(OFF),
    payment_method_update: Joi.object({ enabled }).default(OFF),
    subscription_cancel: Joi.object({
      enabled,
      mode: Joi.string().valid('at_period_end', 'immediately').default('at_period_end'),
    }).default({ ...OFF, mode: 'at_period_end' }),
  }).required(),
  business_profile: Joi.object({
    headline: Joi.string().max(60).default(null),
    privacy_policy_url: url.default(null),
    terms_of_service_url: url.default(null),
  }).default({ headline: null, privacy_policy_url: null, terms_of_service_url: null }),
  default_return_url: url,
  metadata: metadataParam,
});

const buildFeatures = (features: CreateParams['features']): Configuration['features'] => ({
  customer_update: features.customer_update,
  invoice_history: features.invoice_history,
  payment_method_update: { ...features.payment_method_update, payment_method_configuration: null },
  subscription_cancel: {
    ...features.subscription_cancel,
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
});

type Parts = CreateParams & { id: string; isDefault: boolean };

const build = (context: Context, params: Parts): Configuration => ({
  id: params.id,
  object: 'billing_portal.configuration',
  active: true,
  application: null,
  business_profile: params.business_profile,
  created: now(context),
  default_return_url: params.default_return_url ?? null,
  features: buildFeatures(params.features),
  is_default: params.isDefault,
  livemode: false,
  login_page: { enabled: false, url: null },
  metadata: mergeMetadata({}, params.metadata),
  name: params.name ?? null,
  updated: now(context),
});

const DEFAULT: Parts = {
  id: 'bpc_sandbox',
  isDefault: true,
  features: {
    customer_update: { enabled: false, allowed_updates: [] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
  },
  business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
};

/** The account's configurations: the default one exists once its settings were saved in the dashboard. */
const configurationsOf = (context: Context): Configuration[] => {
  const stored = [...context.state.portalConfigurations.values()];
  if (!context.settings.portalConfigured) return stored;
  return [build(context, DEFAULT), ...stored];
};

const create = (context: Context, params: CreateParams): Configuration => {
  const configuration = build(context, { ...params, id: newId('bpc'), isDefault: false });
  context.state.portalConfigurations.set(configuration.id, configuration);
  return configuration;
};

/** Returns the configuration of a new portal session: the named one, else the default one. */
const configurationOf = (context: Context, id: string | undefined): Configuration => {
  const configurations = configurationsOf(context);
  if (id !== undefined) {
    const byId = new Map(configurations.map((one) => [one.id, one]));
    return getReferenced(byId, { kind: 'configuration', id, param: 'configuration' });
  }
  const defaultConfiguration = configurations.find(({ is_default }) => is_default);
  if (defaultConfiguration) return defaultConfiguration;
  const message =
    'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.';
  throw invalidRequest({ message });
};

type ListParams = PageParams & { active?: boolean; is_default?: boolean };

const listParams = Joi.object<ListParams>({
  ...pageParams,
  active: Joi.boolean(),
  is_default: Joi.boolean(),
});

const path = '/v1/billing_portal/configurations';

const list = (context: Context, params: ListParams): Stripe.ApiList<Configuration> => {
  const filter = (row: Configuration) =>
    matches(params.active, row.active) && matches(params.is_default, row.is_default);
  return paginate(params, { rows: configurationsOf(context), url: path, filter });
};

export const portalConfigurationEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, configurationOf),
];

type SessionParams = {
  customer: string;
  configuration?: string;
  return_url?: string;
  locale?: Stripe.BillingPortal.Session.Locale;
  /** The sandbox has the flow that changes the card. */
  flow_data?: {
    type: 'payment_method_update';
    after_completion: { type: 'redirect'; redirect: { return_url: string } };
  };
};

const sessionParams = Joi.object<SessionParams>({
  customer: Joi.string().required(),
  configuration: Joi.string(),
  return_url: Joi.string().uri({ scheme: ['http', 'https'] }),
  locale: Joi.string(),
  flow_data: Joi.object({
    type: Joi.string().valid('payment_method_update').required(),
    after_completion: Joi.object({
      type: Joi.string().valid('redirect').required(),
      redirect: Joi.object({ return_url: url.required() }).required(),
    }).required(),
  }),
});

const flowOf = ({ flow_data: flow }: SessionParams): Stripe.BillingPortal.Session.Flow | null =>
  flow === undefined
    ? null
    : {
        type: flow.type,
        after_completion: { ...flow.after_completion, hosted_confirmation: null },
        customer_update: null,
        subscription_cancel: null,
        subscription_pause: null,
        subscription_update: null,
        subscription_update_confirm: null,
      };

const createSession = (context: Context, params: SessionParams): Stripe.BillingPortal.Session => {
  const { id: customer } = getReferencedCustomer(context, params.customer);
  const id = newId('bps');
  const flow = flowOf(params);
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: configurationOf(context, params.configuration).id,
    created: now(context),
    customer,
    customer_account: null,
    flow,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${context.publicUrl}/p/session/${id}${flow === null ? '' : '/card'}`,
  };
  context.state.portalSessions.set(id, session);
  return session;
};

export const portalSessionEndpoints: Endpoint[] = [
  defineEndpoint({
    method: 'post',
    path: '/v1/billing_portal/sessions',
    params: sessionParams,
    handle: createSession,
  }),
];
