import type Stripe from 'stripe';
import { type AccountKeys, type Config, DEFAULT_SETTINGS, type Settings } from './config.ts';
import type { Fault } from './faults.ts';
import { createMailEvents, type MailEvents } from './mail/mail-events.ts';
import type { CardEntry } from './model/card.rules.ts';
import {
  createClock,
  createPersistence,
  emptyState,
  loadState,
  type Persistence,
  type SandboxClock,
  type State,
} from './state.ts';
import { DEFAULT_BEHAVIOUR, type WebhookBehaviour } from './webhooks/post-event.ts';
import { createDeliveries, type Deliveries } from './webhooks/deliveries.ts';

/** Everything that a request handler works on: configuration, clock, state, injected failures, webhook delivery. */
export type Context = {
  config: Config;
  clock: SandboxClock;
  random: () => number;
  /** Receives unexpected errors of the sandbox itself. */
  report: (error: unknown) => void;
  publicUrl: string;
  state: State;
  settings: Settings;
  faults: Fault[];
  webhooks: WebhookBehaviour;
  keys: AccountKeys;
  /** Cards whose authentication page is open, by the token in its form. */
  cardsAwaitingAuthentication: Map<string, CardEntry>;
  /** Idempotency keys of requests in progress. */
  keysInFlight: Set<string>;
  /** When the API requests of the last second came, on the monotonic clock. */
  recentCalls: number[];
  /** The API request that events are attributed to. */
  currentRequest: Stripe.Event.Request;
  deliveries: Deliveries;
  mailEvents: MailEvents;
  persistence: Persistence;
};

type ContextOptions = {
  config: Config;
  clock: () => number;
  random: () => number;
  report: (error: unknown) => void;
};

export const NO_REQUEST: Stripe.Event.Request = { id: null, idempotency_key: null };

export const createContext = ({ config, clock, random, report }: ContextOptions): Context => {
  const state = loadState(config.stateFile);
  const context: Omit<Context, 'deliveries' | 'mailEvents' | 'persistence'> = {
    config,
    clock: createClock(clock),
    random,
    report,
    publicUrl: config.publicUrl ?? '',
    state,
    settings: { ...DEFAULT_SETTINGS, ...config.settings },
    faults: [],
    webhooks: { ...DEFAULT_BEHAVIOUR, url: config.webhookUrl },
    keys: {
      stripe: [config.stripeSecretKey],
      mail: [config.mailApiKey],
      webhooks: [config.webhookSecret],
    },
    cardsAwaitingAuthentication: new Map(),
    keysInFlight: new Set(),
    recentCalls: [],
    currentRequest: NO_REQUEST,
  };
  return Object.assign(context, {
    deliveries: createDeliveries(() => context as Context),
    mailEvents: createMailEvents(context),
    persistence: createPersistence(config.stateFile, () => context.state),
  });
};

/** Returns the provider's time in Unix seconds, the unit of Stripe's `created` fields. */
export const now = (context: Context): number =>
  context.clock.pinnedAt ?? Math.floor(context.clock.realNow() / 1000) + context.state.offsetSeconds;

/** Deletes all data, injected failures and changed settings. The webhook URL stays, because it is configuration. */
export const resetState = (context: Context): void => {
  context.deliveries.cancel();
  context.mailEvents.cancel();
  context.state = emptyState();
  context.settings = { ...DEFAULT_SETTINGS, ...context.config.settings };
  context.faults = [];
  context.webhooks = { ...DEFAULT_BEHAVIOUR, url: context.webhooks.url };
  context.cardsAwaitingAuthentication.clear();
  context.keysInFlight.clear();
  context.persistence.scheduleSave();
};
