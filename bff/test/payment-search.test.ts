import { NO_USER } from '@shortlist/contracts/api/billing';
import { AUDIT_PERSON_MAX } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();

const MARTA = uuidv7();

/** profile finds these users, billing replies with no payments. */
const stubServices = (users: string[]): void => {
  bff.upstream.respond = respondWith(({ url = '' }) =>
    url.startsWith('/directory?') ? { data: users.map((id) => ({ id })) } : { data: [], next: null },
  );
};

type Name = 'payments' | 'paymentTotals' | 'exportPayments';

const search = async (text: string, name: Name = 'payments') => {
  bff.upstream.requests.length = 0;
  const query = `?state=paid&search=${encodeURIComponent(text)}`;
  const { status, code } = await bff.call(name, { as: 'admin', query });
  const urls = bff.upstream.requests.map(({ url }) => new URL(url, bff.url));
  return {
    status,
    code,
    paths: urls.map(({ pathname }) => pathname),
    query: Object.fromEntries(urls.at(-1)?.searchParams ?? []),
  };
};

it.each(['cus_Qx1', 'in_1Pq', 'ch_3Pq', 'SL-0004'])(
  'billing itself finds the payments of %s',
  async (text) => {
    stubServices([MARTA]);
    expect(await search(text)).toMatchObject({
      status: 200,
      paths: ['/payments'],
      query: { state: 'paid', search: text },
    });
  },
);

it.each<[Name, string]>([
  ['payments', '/payments'],
  ['paymentTotals', '/payments/totals'],
  ['exportPayments', '/payments.csv'],
])('%s has the payments of the users whom a name names', async (name, path) => {
  stubServices([MARTA]);
  expect(await search('Marta Li', name)).toMatchObject({
    status: 200,
    paths: ['/directory', path],
    query: { state: 'paid', users: MARTA },
  });
});

it('a name that nobody has finds nothing, and an id also a deleted user', async () => {
  stubServices([]);
  expect((await search('Nobody')).query).toEqual({ state: 'paid', users: NO_USER });
  expect(await search(MARTA)).toMatchObject({ paths: ['/payments'], query: { users: MARTA } });
});

it('a name that too many have is refused', async () => {
  stubServices(Array.from({ length: AUDIT_PERSON_MAX + 1 }, () => uuidv7()));
  expect(await search('a')).toMatchObject({ status: 400, code: 'audit.search_too_wide' });
});
