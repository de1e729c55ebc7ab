// The addresses of a user's own systems to which the product sends webhooks, signed as Standard Webhooks says
// (https://www.standardwebhooks.com). The webhooks of Stripe come in by `billing.ts`.
import Joi from 'joi';
import { WEBHOOK_URL_MAX } from '../limits.ts';
import {
  count,
  flag,
  listOf,
  type Message,
  message,
  nextCursor,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import { forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** What a user can be told about. */
export const WEBHOOK_EVENTS = [
  'credits.low',
  'credits.exhausted',
  'credits.reset',
  'credits.added',
  'credits.removed',
  'plan.changed',
  'payment.failed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The event that its user sends to try an endpoint. */
export const TEST_EVENT = 'webhook.test';
const SENT_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type SentEvent = (typeof SENT_EVENTS)[number];

/**
 * Why nothing is sent to an endpoint. `failing`: every try failed for days; `gone`: it responded with 410; `taken_back`: the account's
 * owner took it back from another person; `support`: an admin ended what acts for the user.
 */
export const WEBHOOK_STOPS = ['user', 'failing', 'gone', 'taken_back', 'support'] as const;
export type WebhookStop = (typeof WEBHOOK_STOPS)[number];

/** Why a try has no response. `private_address`: the name of its host stands for an address that is not public. */
const TRY_ERRORS = ['private_address', 'name', 'refused', 'certificate', 'timeout', 'connection'] as const;
export type TryError = (typeof TRY_ERRORS)[number];
const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

type ForUser = { userId: string };
type OfEndpoint = { endpointId: string };
type OfDelivery = OfEndpoint & { deliveryId: string };
/** `before`: the id of a delivery, which selects older ones. */
type Page = { before?: string };

const events = Joi.array<WebhookEvent[]>()
  .items(Joi.valid(...WEBHOOK_EVENTS))
  .unique()
  .min(1)
  .required()
  .messages({ 'array.min': 'Choose at least one event' });

const isSendable = (url: string): boolean => {
  const { protocol, username, password, hash } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
};

const url = Joi.string()
  .trim()
  .max(WEBHOOK_URL_MAX)
  .custom((value: string, helpers) =>
    URL.canParse(value) && isSendable(value) ? new URL(value).href : helpers.error('any.invalid'),
  )
  .required()
  .messages({
    'string.max': `Please use at most ${WEBHOOK_URL_MAX} characters`,
    '*': 'Please enter an address such as https://example.com/shortlist, without a password in it',
  });

export type NewWebhookEndpoint = { url: string; events: WebhookEvent[] };
export type WebhookEndpointChange = NewWebhookEndpoint & { isOn: boolean };
const newEndpoint = { url, events };
const endpointChange = { ...newEndpoint, isOn: flag };

const webhookEndpoint = view({
  id: uuid,
  url: text,
  events: listOf(oneOf(WEBHOOK_EVENTS)),
  createdAt: time,
  /** Null for an endpoint that is on. */
  stop: nullable(oneOf(WEBHOOK_STOPS)),
  /** The first try that failed since the last one that did not. */
  failingSince: nullable(time),
  /** Until then messages are signed with the secret before the current one, too. */
  previousSecretUntil: nullable(time),
});
export type WebhookEndpoint = TypeOf<typeof webhookEndpoint>;

/** `status`: of the response, any but 2xx is a failure; null without one. */
const webhookTry = view({
  at: time,
  status: nullable(count),
  error: nullable(oneOf(TRY_ERRORS)),
  milliseconds: count,
});
export type WebhookTry = TypeOf<typeof webhookTry>;

/** One message to one endpoint. `payload`: the body to the letter. `canceled`: the endpoint was off or deleted. */
const webhookDelivery = view({
  id: uuid,
  event: oneOf(SENT_EVENTS),
  payload: text,
  state: oneOf(DELIVERY_STATES),
  createdAt: time,
  /** Null unless another try follows. */
  nextTryAt: nullable(time),
  /** The oldest first. */
  tries: listOf(webhookTry),
});
export type WebhookDelivery = TypeOf<typeof webhookDelivery>;

/** Where a message goes, and the secrets that sign it, the current one first. */
export type WebhookTarget = NewWebhookEndpoint & { id: string; secrets: string[] };
const TRY_OUTCOMES = ['delivered', 'failed', 'gone'] as const;
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

const ofUser = { userId: uuid };
const ofEndpoint = { ...ofUser, endpointId: uuid };

/** identity keeps the endpoints with their secrets, and whether they fail. */
export const webhookEndpoints = {
  listWebhooks: serviceEndpoint<ForUser, { data: WebhookEndpoint[] }>({
    method: 'GET',
    path: '/accounts/:userId/webhooks',
    roles: ['user'],
    self: 'userId',
    input: ofUser,
  }),
  /** Throws `identity.webhooks_full` beyond WEBHOOKS_MAX, and `identity.webhook_not_https` or `identity.webhook_not_public`. */
  createWebhook: serviceEndpoint<ForUser & NewWebhookEndpoint, { data: WebhookEndpoint; secret: string }>({
    method: 'POST',
    path: '/accounts/:userId/webhooks',
    roles: ['user'],
    self: 'userId',
    status: 201,
    input: { ...ofUser, ...newEndpoint },
  }),
  /** Throws `identity.webhook_not_found`, as the following do. One that is switched on again counts as not failing. */
  changeWebhook: serviceEndpoint<ForUser & OfEndpoint & WebhookEndpointChange, { data: WebhookEndpoint }>({
    method: 'PUT',
    path: '/accounts/:userId/webhooks/:endpointId',
    roles: ['user'],
    self: 'userId',
    input: { ...ofEndpoint, ...endpointChange },
  }),
  deleteWebhook: serviceEndpoint<ForUser & OfEndpoint, Message>({
    method: 'DELETE',
    path: '/accounts/:userId/webhooks/:endpointId',
    roles: ['user'],
    self: 'userId',
    input: ofEndpoint,
  }),
  /** The secret before the new one goes on signing for WEBHOOK_ROTATION_HOURS. */
  rotateWebhookSecret: serviceEndpoint<ForUser & OfEndpoint, { data: WebhookEndpoint; secret: string }>({
    method: 'POST',
    path: '/accounts/:userId/webhooks/:endpointId/secret',
    roles: ['user'],
    self: 'userId',
    input: ofEndpoint,
  }),
  /** The endpoints of a user that are on. */
  listTargets: serviceEndpoint<ForUser, { data: WebhookTarget[] }>({
    method: 'GET',
    path: '/accounts/:userId/webhook-targets',
    roles: ['service'],
    input: ofUser,
  }),
  /** Records how a try ended. `at`: when it began. Does nothing for an endpoint that is off or deleted. */
  recordTry: serviceEndpoint<ForUser & OfEndpoint & { outcome: TryOutcome; at: string }, Message>({
    method: 'POST',
    path: '/accounts/:userId/webhooks/:endpointId/tries',
    roles: ['service'],
    input: { ...ofEndpoint, outcome: oneOf(TRY_OUTCOMES), at: time },
  }),
  /** Warns of endpoints that have failed for days, and switches those off that fail still, a day after the warning at the earliest. */
  stopFailingWebhooks: serviceEndpoint<None, { warned: number; stopped: number }>({
    method: 'POST',
    path: '/webhooks/stop-failing',
    roles: ['service'],
  }),
} as const;

/** worker keeps the messages and sends them. */
export const deliveryEndpoints = {
  listDeliveries: serviceEndpoint<
    ForUser & OfEndpoint & Page,
    { data: WebhookDelivery[]; next: string | null }
  >({
    method: 'GET',
    path: '/users/:userId/webhooks/:endpointId/deliveries',
    roles: ['user'],
    self: 'userId',
    input: { ...ofEndpoint, before: Joi.string().guid() },
  }),
  /** Throws `identity.webhook_not_found` for an endpoint that is off, deleted or of somebody else. */
  sendTestEvent: serviceEndpoint<ForUser & OfEndpoint, Message>({
    method: 'POST',
    path: '/users/:userId/webhooks/:endpointId/test',
    roles: ['user'],
    self: 'userId',
    status: 202,
    input: ofEndpoint,
  }),
  /** Sends a message again with the same id. Throws `worker.delivery_not_found`, and `worker.delivery_pending` while a try is under way. */
  redeliver: serviceEndpoint<ForUser & OfDelivery, Message>({
    method: 'POST',
    path: '/users/:userId/webhooks/:endpointId/deliveries/:deliveryId/redeliver',
    roles: ['user'],
    self: 'userId',
    status: 202,
    input: { ...ofEndpoint, deliveryId: uuid },
  }),
} as const;

export const publicWebhookEndpoints = {
  webhooks: forUsers<None, { data: WebhookEndpoint[] }>({
    method: 'GET',
    path: '/api/webhooks',
    whileViewing: true,
    reply: { data: listOf(webhookEndpoint) },
  }),
  /** The reply has the secret, which cannot be read again. */
  createWebhook: forUsers<NewWebhookEndpoint, { data: WebhookEndpoint; secret: string }>({
    method: 'POST',
    path: '/api/webhooks',
    recent: true,
    status: 201,
    input: newEndpoint,
    reply: { data: webhookEndpoint, secret: text },
  }),
  changeWebhook: forUsers<OfEndpoint & WebhookEndpointChange, { data: WebhookEndpoint }>({
    method: 'PUT',
    path: '/api/webhooks/:endpointId',
    recent: true,
    input: { endpointId: uuid, ...endpointChange },
    reply: { data: webhookEndpoint },
  }),
  deleteWebhook: forUsers<OfEndpoint, Message>({
    method: 'DELETE',
    path: '/api/webhooks/:endpointId',
    input: { endpointId: uuid },
    reply: { message },
  }),
  rotateWebhookSecret: forUsers<OfEndpoint, { data: WebhookEndpoint; secret: string }>({
    method: 'POST',
    path: '/api/webhooks/:endpointId/secret',
    recent: true,
    input: { endpointId: uuid },
    reply: { data: webhookEndpoint, secret: text },
  }),
  webhookDeliveries: forUsers<OfEndpoint & Page, { data: WebhookDelivery[]; next: string | null }>({
    method: 'GET',
    path: '/api/webhooks/:endpointId/deliveries',
    whileViewing: true,
    input: { endpointId: uuid, before: Joi.string().guid() },
    reply: { data: listOf(webhookDelivery), next: nextCursor },
  }),
  sendTestEvent: forUsers<OfEndpoint, Message>({
    method: 'POST',
    path: '/api/webhooks/:endpointId/test',
    status: 202,
    input: { endpointId: uuid },
    reply: { message },
  }),
  redeliver: forUsers<OfDelivery, Message>({
    method: 'POST',
    path: '/api/webhooks/:endpointId/deliveries/:deliveryId/redeliver',
    status: 202,
    input: { endpointId: uuid, deliveryId: uuid },
    reply: { message },
  }),
} as const;
