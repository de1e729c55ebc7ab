import Joi from 'joi';
import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../ids.ts';
import { API_VERSION } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { NO_PARAMS, defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { pageParams, paginate, type PageParams } from './pagination.ts';
import { mergeMetadata, metadataParam, textParam, urlParam, type MetadataPatch } from './params.ts';

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
    ...{ url, enabled_events, api_version, description },
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

const path = '/v1/webhook_endpoints';

const list = (context: Context, params: PageParams): Stripe.ApiList<Stripe.WebhookEndpoint> => {
  const stored = [...context.state.webhookEndpoints.values()].map(withoutSecret);
  return paginate(params, { rows: [...configuredEndpoint(context), ...stored], url: path });
};

export const webhookEndpointEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: create }),
  defineEndpoint({ method: 'get', path, params: Joi.object<PageParams>(pageParams), handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => withoutSecret(getEndpoint(context, id))),
  defineEndpoint({ method: 'post', path: `${path}/:id`, params: updateParams, handle: update }),
  defineEndpoint({ method: 'delete', path: `${path}/:id`, params: NO_PARAMS, handle: remove }),
];
