import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../upstream/services.ts';
import type { AssertVerified } from './sign-up.ts';
import { customerOf, getProfile, keepAccount } from './subscription.ts';

type Parts = { services: Services; assertVerified: AssertVerified };

/** The packs of credits of the user of the session, and how that user buys one. */
export const packEndpoints = ({ services, assertVerified }: Parts): Route[] => [
  composed(publicEndpoints.creditPacks, async ({ caller, userId }) => {
    const [{ data: offer }, { data: packs }] = await Promise.all([
      services.billing(billingEndpoints.getPackOffer, {}, { caller }),
      services.billing(billingEndpoints.listCreditPacks, { userId }, { caller }),
    ]);
    return { data: { offer, packs } };
  }),

  composed(publicEndpoints.buyPack, async ({ caller, userId }) => {
    await assertVerified('checkout', caller);
    const customer = customerOf(await getProfile(services, userId, caller));
    await keepAccount({ services }, userId);
    const options = { caller, timeoutMs: PROVIDER_TIMEOUT_MS };
    return services.billing(billingEndpoints.openPackCheckout, customer, options);
  }),

  // The session says who paid, Stripe says whether.
  composed(publicEndpoints.confirmPack, ({ input, caller, userId }) =>
    services.billing(
      billingEndpoints.confirmPackCheckout,
      { userId, sessionId: input.xsl },
      { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
    ),
  ),
];
