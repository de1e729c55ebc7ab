import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();

const MARTA = uuidv7();
const OTHER = uuidv7();

/** billing knows these references, identity these former emails. */
const stubServices = (known: Record<string, string[]>): void => {
  bff.upstream.respond = respondWith(({ url = '', method }) => {
    if (url.startsWith('/users?')) {
      const reference = new URL(url, bff.url).searchParams.get('reference') ?? '';
      return { data: known[reference] ?? [] };
    }
    if (method === 'POST') return { data: known['former'] ?? [] };
    return { data: [], total: 0, isCapped: false, next: null };
  });
};

const search = async (text: string, name: 'listUsers' | 'exportUsers' = 'listUsers') => {
  bff.upstream.requests.length = 0;
  const query = `?plan=premium&search=${encodeURIComponent(text)}`;
  const { status } = await bff.call(name, { as: 'admin', query });
  const urls = bff.upstream.requests.map(({ url }) => new URL(url, bff.url));
  return {
    status,
    paths: urls.map(({ pathname }) => pathname),
    searched: urls.at(-1)?.searchParams.get('search'),
    plan: urls.at(-1)?.searchParams.get('plan'),
  };
};

it.each(['cus_Qx1', 'sub_1Pq', 'in_1Pq', 'pi_3Pq', 'ch_3Pq', 'py_3Pq', 'SL-0004', 'f3a9c1d2-0001'])(
  'the list of users finds the user of %s, with the other filters',
  async (reference) => {
    stubServices({ [reference]: [MARTA] });
    const found = { status: 200, paths: ['/users', '/directory'], searched: MARTA, plan: 'premium' };
    expect(await search(` ${reference} `)).toEqual(found);
    const exported = { ...found, paths: ['/users', '/directory.csv'] };
    expect(await search(reference, 'exportUsers')).toEqual(exported);
  },
);

it('the list of users finds all who have or had an email', async () => {
  stubServices({ former: [OTHER, MARTA] });
  expect(await search('Marta@people.test')).toMatchObject({
    paths: ['/email-changes/former-owners', '/directory'],
    searched: `${OTHER} ${MARTA}`,
  });
  expect(bff.upstream.requests[0]?.json).toEqual({ email: 'Marta@people.test' });
});

it('a reference and an email that nobody else knows are searched as they are', async () => {
  stubServices({});
  expect((await search('in_unknown')).searched).toBe('in_unknown');
  expect((await search('marta@people.test')).searched).toBe('marta@people.test');
});

it.each(['marta', 'marta@peo', 'customer_1', 'cus_ Qx1', 'anne-marie', 'x'.repeat(300)])(
  'the search for %s asks profile alone',
  async (text) => {
    stubServices({});
    expect((await search(text)).paths).toEqual(['/directory']);
  },
);

it('without a reply from billing, the search for a reference fails instead of finding no user', async () => {
  bff.upstream.respond = (_request, response) => void response.writeHead(500).end();
  expect((await search('in_1Pq')).status).toBe(503);
});
