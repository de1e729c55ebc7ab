import type Stripe from 'stripe';
import { createClock, type SandboxClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Fault } from './faults/fault.ts';
import { createPersistence, loadState, type Persistence } from './persistence.ts';
import { emptyState, type State } from './state.ts';
import { createDeliveries, type Deliveries } from './webhooks/deliveries.ts';
import { usualBehaviour, type WebhookBehaviour } from './webhooks/behaviour.ts';
import type { CardEntry } from './model/card.rules.ts';

/** What every door works on: the state, the time, and how the sandbox is told to misbehave. */
export type World = {
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
  waitingCards: Map<string, CardEntry>;
  /** Keys of requests being worked on right now. */
  keysInFlight: Set<string>;
  cause: Stripe.Event.Request;
  deliveries: Deliveries;
  persistence: Persistence;
};

type WorldParts = {
  config: Config;
  clock: () => number;
  random: () => number;
  report: (error: unknown) => void;
};

export const noCause: Stripe.Event.Request = { id: null, idempotency_key: null };

export const createWorld = ({ config, clock, random, report }: WorldParts): World => {
  const state = loadState(config.stateFile);
  const world: Omit<World, 'deliveries' | 'persistence'> = {
    config,
    clock: createClock(clock),
    random,
    report,
    publicUrl: config.publicUrl ?? '',
    state,
    faults: [],
    webhooks: { ...usualBehaviour, url: config.webhookUrl },
    waitingCards: new Map(),
    keysInFlight: new Set(),
    cause: noCause,
  };
  return Object.assign(world, {
    deliveries: createDeliveries(() => world as World),
    persistence: createPersistence(config.stateFile, () => world.state),
  });
};

/** The provider's time in whole seconds, as every `created` carries it. */
export const now = (world: World): number =>
  world.clock.pinnedAt ?? Math.floor(world.clock.realNow() / 1000) + world.state.offsetSeconds;

/** The webhook address stays: it is where the hearer lives, not how deliveries behave. */
export const forgetAll = (world: World): void => {
  world.deliveries.stop();
  world.state = emptyState();
  world.faults = [];
  world.webhooks = { ...usualBehaviour, url: world.webhooks.url };
  world.waitingCards.clear();
  world.keysInFlight.clear();
  world.persistence.changed();
};
