// Outgoing webhooks to users' own systems, signed according to Standard Webhooks (https://www.standardwebhooks.com). Stripe's incoming
// webhooks are in `billing.ts`.
import Joi from 'joi';
import { WEBHOOK_URL_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, operationsOf, toUsers } from './operation.ts';

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
/** The event that a user sends to test an endpoint. */
export const TEST_EVENT = 'webhook.test';
const SENT_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type SentEvent = (typeof SENT_EVENTS)[number];

/**
 * `failing`: every try failed for days; `gone`: it responded with 410; `taken_back`: the owner took the account back; `support`: an admin
 * ended it.
 */
export const WEBHOOK_STOPS = ['user', 'failing', 'gone', 'taken_back', 'support'] as const;
export type WebhookStop = (typeof WEBHOOK_STOPS)[number];

/** Why a try got no response. `private_address`: the host name resolves to an address that is not public. */
const TRY_ERRORS = ['private_address', 'name', 'refused', 'certificate', 'timeout', 'connection'] as const;
export type TryError = (typeof TRY_ERRORS)[number];
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'canceled'] as const;

const events = rule.someOf(WEBHOOK_EVENTS, 'Choose at least one event');

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

const newEndpoint = { url, events };
export type NewWebhookEndpoint = rule.TypeOf<typeof newEndpoint>;
const endpointChange = { ...newEndpoint, isOn: rule.flag };
export type WebhookEndpointChange = rule.TypeOf<typeof endpointChange>;

const webhookEndpoint = rule.view({
  id: rule.uuid,
  url: rule.text,
  events: rule.listOf(rule.oneOf(WEBHOOK_EVENTS)),
  createdAt: rule.time,
  /** Null if the endpoint is on. */
  stop: rule.nullable(rule.oneOf(WEBHOOK_STOPS)),
  /** The first failed try since the last successful one. */
  failingSince: rule.nullable(rule.time),
  /** Until then, messages are also signed with the previous secret. */
  previousSecretUntil: rule.nullable(rule.time),
});
export type WebhookEndpoint = rule.TypeOf<typeof webhookEndpoint>;

/** `status`: that of the response, null without one; anything but 2xx is a failure. */
const webhookTry = rule.view({
  at: rule.time,
  status: rule.nullable(rule.count),
  error: rule.nullable(rule.oneOf(TRY_ERRORS)),
  milliseconds: rule.count,
});
export type WebhookTry = rule.TypeOf<typeof webhookTry>;

/** One message to one endpoint. `payload`: the exact body. `canceled`: the endpoint was off or deleted. */
const webhookDelivery = rule.view({
  id: rule.uuid,
  event: rule.oneOf(SENT_EVENTS),
  payload: rule.text,
  state: rule.oneOf(DELIVERY_STATES),
  createdAt: rule.time,
  /** Null unless another try follows. */
  nextTryAt: rule.nullable(rule.time),
  /** The oldest first. */
  tries: rule.listOf(webhookTry),
});
export type WebhookDelivery = rule.TypeOf<typeof webhookDelivery>;

/** Where a message goes, and the secrets that sign it, the current one first. */
const webhookTarget = rule.view({
  id: rule.uuid,
  url: rule.text,
  events: rule.listOf(rule.oneOf(WEBHOOK_EVENTS)),
  secrets: rule.listOf(rule.text),
});
export type WebhookTarget = rule.TypeOf<typeof webhookTarget>;
const TRY_OUTCOMES = ['delivered', 'failed', 'gone'] as const;
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

const withSecret = { data: webhookEndpoint, secret: rule.text };
const own = { roles: ['user'], self: 'userId' } as const;
const byUser = operationsOf('identity', own);
const byService = operationsOf('identity', { roles: ['service'] });

/** identity stores the endpoints with their secrets and failures. */
export const webhookEndpoints = {
  listWebhooks: byUser('GET /accounts/:userId/webhooks', {
    reply: { data: rule.listOf(webhookEndpoint) },
    public: { webhooks: toUsers('/api/webhooks', { whileViewing: true }) },
  }),
  /** Throws `identity.webhooks_full`, `identity.webhook_not_https` or `identity.webhook_not_public`. The secret cannot be read again. */
  createWebhook: byUser('POST /accounts/:userId/webhooks', {
    status: 201,
    input: newEndpoint,
    reply: withSecret,
    public: { createWebhook: toUsers('/api/webhooks', { recent: true }) },
  }),
  /** Throws `identity.webhook_not_found`, as do the following. An endpoint that is turned on again counts as not failing. */
  changeWebhook: byUser('PUT /accounts/:userId/webhooks/:endpointId', {
    input: endpointChange,
    reply: { data: webhookEndpoint },
    public: { changeWebhook: toUsers('/api/webhooks/:endpointId', { recent: true }) },
  }),
  deleteWebhook: byUser('DELETE /accounts/:userId/webhooks/:endpointId', {
    reply: rule.noData,
    public: { deleteWebhook: toUsers('/api/webhooks/:endpointId') },
  }),
  /** The previous secret keeps signing for WEBHOOK_ROTATION_HOURS. */
  rotateWebhookSecret: byUser('POST /accounts/:userId/webhooks/:endpointId/secret', {
    reply: withSecret,
    public: { rotateWebhookSecret: toUsers('/api/webhooks/:endpointId/secret', { recent: true }) },
  }),
  listTargets: byService('GET /accounts/:userId/webhook-targets', {
    reply: { data: rule.listOf(webhookTarget) },
  }),
  /** Records the result of a try. `at`: when it began. Does nothing if the endpoint is off or deleted. */
  recordTry: byService('POST /accounts/:userId/webhooks/:endpointId/tries', {
    input: { outcome: rule.oneOf(TRY_OUTCOMES), at: rule.time },
    reply: rule.noData,
  }),
  /** Warns about endpoints that have failed for days, and turns off those that still fail a day or more after the warning. */
  stopFailingWebhooks: byService('POST /webhooks/stop-failing', {
    reply: { warned: rule.count, stopped: rule.count },
  }),
} as const;

const workerByUser = operationsOf('worker', own);

/** worker stores the messages and sends them. */
export const deliveryEndpoints = {
  /** `before`: the id of a delivery, which selects older ones. */
  listDeliveries: workerByUser('GET /users/:userId/webhooks/:endpointId/deliveries', {
    input: { before: rule.mayLack(Joi.string().guid()) },
    reply: { data: rule.listOf(webhookDelivery), next: rule.nextCursor },
    public: { webhookDeliveries: toUsers('/api/webhooks/:endpointId/deliveries', { whileViewing: true }) },
  }),
  /** Throws `identity.webhook_not_found` if the endpoint is off, deleted or another user's. */
  sendTestEvent: workerByUser('POST /users/:userId/webhooks/:endpointId/test', {
    status: 202,
    reply: rule.noData,
    public: { sendTestEvent: toUsers('/api/webhooks/:endpointId/test') },
  }),
  /** Sends a message again with the same id. Throws `worker.delivery_not_found`, and `worker.delivery_pending` while a try is in progress. */
  redeliver: workerByUser('POST /users/:userId/webhooks/:endpointId/deliveries/:deliveryId/redeliver', {
    status: 202,
    reply: rule.noData,
    public: { redeliver: toUsers('/api/webhooks/:endpointId/deliveries/:deliveryId/redeliver') },
  }),
} as const;

export const publicWebhookEndpoints = addressesOf({ ...webhookEndpoints, ...deliveryEndpoints });
