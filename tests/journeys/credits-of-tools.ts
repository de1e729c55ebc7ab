import type { CreditsEntry, CreditsUsage } from '@shortlist/contracts/api/credits';
import {
  apiKey,
  creditsView,
  grantRecord,
  packBucket,
  packRecord,
  planBucket,
} from '../../web/test/fixtures.ts';

const KEYS = [
  'Automation bot',
  'The weekly report of the Lisbon office, for all of Iberia',
  'Greenhouse import',
  'Old test',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
].map((name, index) =>
  apiKey(index + 1, { name, ...(index > 2 && { revokedAt: '2026-11-01T09:00:00.000Z' }) }),
);

const clients: (string | null)[] = [null, ...KEYS.map(({ id }) => id)];

const dayBefore = (count: number): string =>
  new Date(Date.UTC(2026, 10, 14 - count)).toISOString().slice(0, 10);

/** Two weeks in which the tools charge less and less, and one has credits returned. */
const USAGE = Array.from({ length: 14 }, (_, index) =>
  clients.map((clientId, tool): CreditsUsage => ({
    day: dayBefore(index),
    clientId,
    reason: 'email_found',
    charged: index % 5 === 3 ? 0 : Math.round((40 - 2 * index) / (tool + 1)),
    returned: tool === 1 && index % 4 === 0 ? 3 : 0,
  })),
).flat();

const entry = (id: number, change: Partial<CreditsEntry>): CreditsEntry => ({
  id: String(id),
  amount: -1,
  reason: 'email_found',
  reference: 'https://www.linkedin.com/in/maximiliane-charlotte-von-hohenzollern-sigmaringen',
  clientId: null,
  createdAt: '2026-11-14T09:12:00.000Z',
  ...change,
});

const HISTORY = [
  entry(9, { reason: 'message_composed', reference: 'Amara Diallo', clientId: KEYS[0]?.id ?? null }),
  entry(8, { amount: 12, reason: 'released', clientId: KEYS[1]?.id ?? null }),
  entry(7, { amount: -12, clientId: KEYS[1]?.id ?? null }),
  entry(6, { amount: 5, reason: 'expired', reference: null, clientId: KEYS[4]?.id ?? null }),
  entry(5, { amount: 1, reason: 'already_paid', reference: 'Jonas Feldmann' }),
  entry(4, { amount: 40, reason: 'unused', clientId: KEYS[2]?.id ?? null }),
  entry(3, { amount: 0, reference: 'Léa Bouchard' }),
];

/** The credits of a user with many tools, most of them used. */
export const CREDITS_OF_TOOLS = {
  as: 'premium' as const,
  ready: /Usage by tool|Automation bot/,
  replies: {
    credits: creditsView({
      plan: 'premium',
      limit: 500,
      used: 406,
      available: 94,
      premiumUsed: 406,
      freeUsed: 0,
    }),
    listApiKeys: { data: KEYS },
    creditsUsage: { data: USAGE },
    creditsHistory: { data: HISTORY, next: null },
  },
};

/** The credits of a user with a grant that ends first, the plan and a pack. */
export const CREDITS_IN_BUCKETS = creditsView({
  plan: 'premium',
  limit: 500,
  used: 406,
  available: 38 + 94 + 240,
  premiumUsed: 406,
  freeUsed: 0,
  buckets: [
    { id: 'grant', kind: 'grant', credits: 50, used: 12, available: 38, endsAt: '2026-12-01T00:00:00.000Z' },
    planBucket({ credits: 500, used: 406, available: 94 }),
    packBucket(),
  ],
});

const REASON = 'The import of contacts lost a day, and the user had charged for all of them by then';

/** The same for an admin, with a grant that is over. */
export const USER_BUCKETS = {
  data: {
    available: CREDITS_IN_BUCKETS.available,
    buckets: CREDITS_IN_BUCKETS.buckets,
    records: [
      grantRecord({ reason: REASON }),
      packRecord(),
      grantRecord({ id: '0192f0c0-0000-7000-8000-000000000779', available: 0, isOver: true }),
    ],
  },
};
