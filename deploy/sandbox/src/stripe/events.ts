import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { API_VERSION } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { newId } from '../state.ts';
import { defineEndpoint, type Endpoint, NO_PARAMS, retrieveEndpoint } from './endpoint.ts';
import { getById, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import {
  matchesTime,
  mergeMetadata,
  metadataParam,
  type MetadataPatch,
  textParam,
  type TimeFilter,
  timeFilterParam,
  urlParam,
} from './params.ts';

type ListParams = PageParams & {
  type?: string;
  types?: string[];
  created?: TimeFilter;
  delivery_success?: boolean;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  type: Joi.string(),
  types: Joi.array().items(Joi.string()).max(20),
  created: timeFilterParam,
  delivery_success: Joi.boolean(),
});

const path = '/v1/events';

/** The pattern may end in a wildcard: `customer.subscription.*`. */
export const matchesType = (type: string, pattern: string | undefined): boolean => {
  if (pattern === undefined || pattern === '*') return true;
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
};

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Event> => {
  const { type, types, created, delivery_success } = params;
  const filter = (event: Stripe.Event) =>
    matchesType(event.type, type) &&
    (types === undefined || types.includes(event.type)) &&
    matchesTime(event.created, created) &&
    matches(delivery_success, event.pending_webhooks === 0);
  return paginate(params, { rows: context.state.events.values(), url: path, filter });
};

export const eventEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.events, 'event', id)),
];

type CreateParams = {
  url: string;
  enabled_events: string[];
  api_version?: string;
  description?: string;
  metadata?: MetadataPatch;
};

const enabledEvents = Joi.array()
  .items(Joi.string().pattern(/^(\*|[a-z_]+(\.[a-z_]+)+)$/, 'event type'))
  .min(1);

const createParams = Joi.object<CreateParams>({
  url: urlParam.required(),
  enabled_events: enabledEvents.required(),
  api_version: Joi.string(),
  description: textParam,
  metadata: metadataParam,
});

/** The endpoint that the configuration of the sandbox names, as if it had been created in the dashboard. */
const configuredEndpoint = ({ webhooks }: Context): Stripe.WebhookEndpoint[] => {
  if (webhooks.url === null) return [];
  const { url } = webhooks;
  return [
    {
      id: 'we_sandbox',
      object: 'webhook_endpoint',
      api_version: API_VERSION,
      application: null,
      created: 0,
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url,
    },
  ];
};

// Only the response to the creation contains the secret.
const withoutSecret = ({ secret: _secret, ...endpoint }: Stripe.WebhookEndpoint): Stripe.WebhookEndpoint =>
  endpoint;

const create = (context: Context, params: CreateParams): Stripe.WebhookEndpoint => {
  const { url, enabled_events, api_version = null, description = null } = params;
  const endpoint: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    application: null,
    created: now(context),
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    secret: newId('whsec', 32),
    status: 'enabled',
    url,
    enabled_events,
    api_version,
    description,
  };
  context.state.webhookEndpoints.set(endpoint.id, endpoint);
  return endpoint;
};

type UpdateParams = Partial<Pick<CreateParams, 'url' | 'enabled_events' | 'description'>> & {
  disabled?: boolean;
};

const updateParams = Joi.object<UpdateParams>({
  url: urlParam,
  enabled_events: enabledEvents,
  description: textParam,
  disabled: Joi.boolean(),
});

const getEndpoint = (context: Context, id: string): Stripe.WebhookEndpoint =>
  getById(context.state.webhookEndpoints, 'webhook_endpoint', id);

const update = (context: Context, params: UpdateParams, id: string): Stripe.WebhookEndpoint => {
  if (configuredEndpoint(context).some((endpoint) => endpoint.id === id)) {
    throw invalidRequest({ message: 'The configuration of the sandbox sets this endpoint.' });
  }
  const endpoint = getEndpoint(context, id);
  const { disabled, ...changes } = params;
  Object.assign(endpoint, changes);
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
  return withoutSecret(endpoint);
};

const remove = (context: Context, _params: unknown, id: string): Stripe.DeletedWebhookEndpoint => {
  context.state.webhookEndpoints.delete(getEndpoint(context, id).id);
  return { id, object: 'webhook_endpoint', deleted: true };
};

const endpointPath = '/v1/webhook_endpoints';

const listEndpoints = (context: Context, params: PageParams): Stripe.ApiList<Stripe.WebhookEndpoint> => {
  const stored = [...context.state.webhookEndpoints.values()].map(withoutSecret);
  return paginate(params, { rows: [...configuredEndpoint(context), ...stored], url: endpointPath });
};

export const webhookEndpointEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path: endpointPath, params: createParams, handle: create }),
  defineEndpoint({
    method: 'get',
    path: endpointPath,
    params: Joi.object<PageParams>(pageParams),
    handle: listEndpoints,
  }),
  retrieveEndpoint(`${endpointPath}/:id`, (context, id) => withoutSecret(getEndpoint(context, id))),
  defineEndpoint({ method: 'post', path: `${endpointPath}/:id`, params: updateParams, handle: update }),
  defineEndpoint({ method: 'delete', path: `${endpointPath}/:id`, params: NO_PARAMS, handle: remove }),
];
