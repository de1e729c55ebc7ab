import type { Image } from './command.ts';

type Entry = { about: string; images: readonly Image[] };

const WITH_DATABASE = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

/** Every command, and the images that have it: a command needs the variables and the code of its process. */
export const CATALOGUE = {
  dead: {
    about: "lists, shows and replays this service's dead letters",
    images: ['profile', 'billing', 'credits', 'worker', 'bff'],
  },
  'stripe-inbox': { about: 'lists and replays unsettled events of Stripe', images: ['billing'] },
  outbox: {
    about: 'publishes events of this service again',
    images: ['identity', 'profile', 'billing', 'credits'],
  },
  audit: { about: 'checks the invariants of the data', images: [...WITH_DATABASE, 'bff'] },
  admin: { about: 'creates an admin, or recovers the access of one', images: ['identity'] },
  migrate: { about: "migrates this service's database", images: WITH_DATABASE },
  'stripe-check': { about: 'checks the account at Stripe', images: ['billing'] },
} as const satisfies Record<string, Entry>;

export type CommandName = keyof typeof CATALOGUE;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(CATALOGUE, name);

export const imagesOf = (name: CommandName): readonly Image[] => CATALOGUE[name].images;
