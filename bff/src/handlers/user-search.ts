import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { formerEmailEndpoints } from '@shortlist/contracts/api/email';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Route } from '../http/endpoint.ts';
import { isPassedOn, type PassOn } from '../http/proxied.ts';
import type { Services } from '../services.ts';

// What an admin may search users by that profile does not know: billing knows what Stripe calls them, identity their former emails. Such a text
// is searched whole, and becomes the ids of the users whom it names; every other text is profile's alone.

const STRIPE_ID = /^(cus|sub|in|pi|ch|py)_\w{1,90}$/;
const INVOICE_NUMBER = /^[a-z\d]+(-[a-z\d]+)*-\d+$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;
const REFERENCE_MAX = 100;

const findIds = async ({ billing, identity }: Services, text: string, caller: Caller): Promise<string[]> => {
  if (EMAIL.test(text))
    return (await identity(formerEmailEndpoints.findFormerOwners, { email: text }, { caller })).data;
  if (text.length > REFERENCE_MAX || !(STRIPE_ID.test(text) || INVOICE_NUMBER.test(text))) return [];
  return (await billing(billingEndpoints.findUsersByReference, { reference: text }, { caller })).data;
};

/** The list of users and its export, to which profile responds. */
export const userSearchEndpoints = (services: Services, passOn: PassOn): Route[] =>
  ([publicEndpoints.listUsers, publicEndpoints.exportUsers] as PublicEndpoint<never, unknown>[])
    .filter(isPassedOn)
    .map((endpoint) => {
      const route = passOn(endpoint);
      return {
        ...route,
        respond: async (exchange) => {
          const url = new URL(exchange.url);
          const ids = await findIds(services, url.searchParams.get('search')?.trim() ?? '', exchange.caller);
          if (ids.length > 0) url.searchParams.set('search', ids.join(' '));
          return route.respond({ ...exchange, url });
        },
      };
    });
