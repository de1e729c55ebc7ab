import { creditsView, subscriptionView, userView } from '../../web/test/fixtures.ts';

const FREE = {
  checkUser: { remainingTime: 3_600, user: userView() },
  subscription: { data: subscriptionView() },
  credits: creditsView(),
};

/** What becomes of the payment of a pack, on the page to which the user returns from Stripe. */
export const PACK_STATES = [
  {
    name: 'pack-added',
    path: '/credits/pack?xsl=cs_1',
    as: 'free',
    ready: /250 credits added/,
    replies: {
      ...FREE,
      confirmPack: {
        data: {
          packId: '0192f0c0-0000-8000-8000-00000000000a',
          version: 1,
          credits: 250,
          paidCredits: 250,
          paidAt: '2026-11-20T09:41:00.000Z',
          amount: 1_900,
          currency: 'usd',
          state: 'paid',
        },
      },
    },
  },
  {
    name: 'pack-confirming',
    path: '/credits/pack?xsl=cs_2',
    as: 'free',
    ready: /payment is processing/,
    isBusy: true,
    replies: { ...FREE, confirmPack: 'pending' },
  },
  {
    name: 'pack-not-paid',
    path: '/credits/pack?xsl=cs_3',
    as: 'free',
    ready: /could not be confirmed/,
    replies: { ...FREE, confirmPack: { failsWith: 'billing.not_paid' } },
  },
] as const;
