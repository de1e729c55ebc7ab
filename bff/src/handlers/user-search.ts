import { billingEndpoints, NO_USER } from '@shortlist/contracts/api/billing';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { formerEmailEndpoints } from '@shortlist/contracts/api/email';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { AUDIT_PERSON_MAX, USER_ID } from '@shortlist/contracts/limits';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Route } from '../http/endpoint.ts';
import { isPassedOn, type PassOn } from '../http/proxied.ts';
import type { Services } from '../services.ts';

// What an admin may search users by that profile does not know: billing knows what Stripe calls them, identity their former emails. Such a text
// is searched whole, and becomes the ids of the users whom it names; every other text is profile's alone. Of payments, billing knows the
// references and profile the users.

const STRIPE_ID = /^(cus|sub|in|pi|ch|py)_\w{1,90}$/;
const INVOICE_NUMBER = /^[a-z\d]+(-[a-z\d]+)*-\d+$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;
const REFERENCE_MAX = 100;

const isReference = (text: string): boolean =>
  text.length <= REFERENCE_MAX && (STRIPE_ID.test(text) || INVOICE_NUMBER.test(text));

export const findIds = async (
  { billing, identity }: Services,
  text: string,
  caller: Caller,
): Promise<string[]> => {
  if (EMAIL.test(text))
    return (await identity(formerEmailEndpoints.findFormerOwners, { email: text }, { caller })).data;
  if (!isReference(text)) return [];
  return (await billing(billingEndpoints.findUsersByReference, { reference: text }, { caller })).data;
};

/** Endpoints that a service responds to, for which `change` replaces what is searched. */
const withSearch = (
  endpoints: readonly PublicEndpoint<never, unknown>[],
  passOn: PassOn,
  change: (query: URLSearchParams, text: string, caller: Caller) => Promise<void>,
): Route[] =>
  endpoints.filter(isPassedOn).map((endpoint) => {
    const route = passOn(endpoint);
    return {
      ...route,
      respond: async (exchange) => {
        const url = new URL(exchange.url);
        await change(url.searchParams, url.searchParams.get('search')?.trim() ?? '', exchange.caller);
        return route.respond({ ...exchange, url });
      },
    };
  });

/** The list of users and its export, to which profile responds. */
export const userSearchEndpoints = (services: Services, passOn: PassOn): Route[] =>
  withSearch(
    [publicEndpoints.listUsers, publicEndpoints.exportUsers],
    passOn,
    async (query, text, caller) => {
      const ids = await findIds(services, text, caller);
      if (ids.length > 0) query.set('search', ids.join(' '));
    },
  );

/** The users whom a name, an email or an id names; NO_USER if there are none. Throws `audit.search_too_wide`. */
const findPayers = async ({ profile }: Services, text: string, caller: Caller): Promise<string> => {
  // A user may have been deleted, whose payments stay.
  if (USER_ID.test(text)) return text;
  const search = { search: text, limit: AUDIT_PERSON_MAX + 1 };
  const { data } = await profile(directoryEndpoints.listDirectory, search, { caller });
  if (data.length > AUDIT_PERSON_MAX) throw createError('audit.search_too_wide');
  return data.length === 0 ? NO_USER : data.map(({ id }) => id).join(',');
};

/** The list of payments with its sums and its export, to which billing responds. */
export const paymentSearchEndpoints = (services: Services, passOn: PassOn): Route[] =>
  withSearch(
    [publicEndpoints.payments, publicEndpoints.paymentTotals, publicEndpoints.exportPayments],
    passOn,
    async (query, text, caller) => {
      if (text === '' || isReference(text)) return;
      const payers = await findPayers(services, text, caller);
      query.delete('search');
      query.set('users', payers);
    },
  );
