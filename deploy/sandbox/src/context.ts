import type Stripe from 'stripe';
import { createClock, type SandboxClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Fault } from './faults/fault.ts';
import type { CardEntry } from './model/card.rules.ts';
import { createPersistence, loadState, type Persistence } from './persistence.ts';
import { emptyState, type State } from './state.ts';
import { defaultBehaviour, type WebhookBehaviour } from './webhooks/behaviour.ts';
import { createDeliveries, type Deliveries } from './webhooks/deliveries.ts';

/** What every door works on: the state, the time, and how the sandbox is told to misbehave. */
export type Context = {
  config: Config;
  clock: SandboxClock;
  random: () => number;
  /** Told about mistakes of the sandbox itself. */
  report: (error: unknown) => void;
  publicUrl: string;
  state: State;
  faults: Fault[];
  webhooks: WebhookBehaviour;
  /** Cards that wait for their owner to confirm, by a token the page carries. */
  unauthenticatedCards: Map<string, CardEntry>;
  /** Keys of requests being worked on right now. */
  keysInFlight: Set<string>;
  cause: Stripe.Event.Request;
  deliveries: Deliveries;
  persistence: Persistence;
};

type ContextOptions = {
  config: Config;
  clock: () => number;
  random: () => number;
  report: (error: unknown) => void;
};

export const NO_CAUSE: Stripe.Event.Request = { id: null, idempotency_key: null };

export const createContext = ({ config, clock, random, report }: ContextOptions): Context => {
  const state = loadState(config.stateFile);
  const context: Omit<Context, 'deliveries' | 'persistence'> = {
    config,
    clock: createClock(clock),
    random,
    report,
    publicUrl: config.publicUrl ?? '',
    state,
    faults: [],
    webhooks: { ...defaultBehaviour, url: config.webhookUrl },
    unauthenticatedCards: new Map(),
    keysInFlight: new Set(),
    cause: NO_CAUSE,
  };
  return Object.assign(context, {
    deliveries: createDeliveries(() => context as Context),
    persistence: createPersistence(config.stateFile, () => context.state),
  });
};

/** The provider's time in whole seconds, as every `created` carries it. */
export const now = (context: Context): number =>
  context.clock.pinnedAt ?? Math.floor(context.clock.realNow() / 1000) + context.state.offsetSeconds;

/** The webhook address stays: it is where the hearer lives, not how deliveries behave. */
export const resetState = (context: Context): void => {
  context.deliveries.stop();
  context.state = emptyState();
  context.faults = [];
  context.webhooks = { ...defaultBehaviour, url: context.webhooks.url };
  context.unauthenticatedCards.clear();
  context.keysInFlight.clear();
  context.persistence.changed();
};
