import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { expect, it } from 'vitest';
import { comparePayers } from '../src/maintenance/compare-payers.ts';

/** The two services with these payers and accounts, and what was reported. */
const openServices = (pages: string[][], accounts: Set<string>) => {
  const reports: string[][] = [];
  const client = (reply: (path: string, input: never) => unknown): ServiceClient =>
    (({ path, method }: { path: string; method: string }, input: never) =>
      Promise.resolve().then(() => reply(`${method} ${path}`, input))) as unknown as ServiceClient;
  const nameOf = ({ path, method }: { path: string; method: string }): string => `${method} ${path}`;
  const billing = client((name, input: { after?: string; withoutAccount: string[] }) => {
    if (name === nameOf(billingEndpoints.reportPayers)) return void reports.push(input.withoutAccount);
    const index = input.after === undefined ? 0 : pages.findIndex((page) => page.at(-1) === input.after) + 1;
    return { data: pages[index], next: index < pages.length - 1 ? pages[index]?.at(-1) : null };
  });
  const identity = client((name, { ids }: { ids: string[] }) => {
    expect(name).toBe(nameOf(identityEndpoints.listUnknownAccounts));
    return { data: ids.filter((id) => !accounts.has(id)) };
  });
  return { reports, compare: () => comparePayers({ billing, identity }, 100) };
};

const PAGES = [['a', 'b'], ['c', 'd'], ['leaving']];

it('payers of all pages without an account are reported', async () => {
  const { reports, compare } = openServices(PAGES, new Set(['a', 'c', 'leaving']));
  await compare();
  expect(reports).toEqual([['b', 'd']]);
});

it('a payer whose deletion or registration is under way is not', async () => {
  const accounts = new Set(['a', 'c', 'leaving']);
  const pages = [...PAGES];
  const { reports, compare } = openServices(pages, accounts);
  const comparing = compare();
  setTimeout(() => {
    accounts.add('b');
    pages[1] = ['c'];
  }, 20);
  await comparing;
  expect(reports).toEqual([[]]);
});

it('without any, billing is told so', async () => {
  const { reports, compare } = openServices([['a']], new Set(['a']));
  await compare();
  expect(reports).toEqual([[]]);
});
