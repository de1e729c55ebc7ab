import { type AccountCopy, identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { expect, it } from 'vitest';
import { recoverAccounts } from '../src/restore/accounts-command.ts';

const copyOf = (id: string): AccountCopy => ({
  ...{ id, email: `${id}@people.test`, emailVersion: 1 },
  createdAt: '2026-03-01T12:00:00.000Z',
});

it('the accounts of all pages are compared, and those that were brought back are printed', async () => {
  const pages = [['a', 'b'], ['c', 'd'], ['e']];
  const compared: string[] = [];
  const stated: string[] = [];
  const profile = (({ path }: { path: string }, { after, ids = [] }: { after?: string; ids?: string[] }) => {
    if (path === profileEndpoints.stateProfiles.path) return Promise.resolve({ stated: stated.push(...ids) });
    const index = after === undefined ? 0 : pages.findIndex((page) => page.at(-1) === after) + 1;
    const next = index < pages.length - 1 ? pages[index]?.at(-1) : null;
    return Promise.resolve({ data: pages[index]?.map(copyOf), next });
  }) as unknown as ServiceClient;
  const isLost = (id: string): boolean => ['b', 'e'].includes(id);
  const identity = (({ path }: { path: string }, input: { accounts: AccountCopy[]; ids: string[] }) => {
    if (path === identityEndpoints.listUnknownAccounts.path)
      return Promise.resolve({ data: input.ids.filter(isLost) });
    const { accounts } = input;
    compared.push(...accounts.map(({ email }) => email));
    const lost = accounts.filter(({ id }) => isLost(id) && stated.includes(id));
    return Promise.resolve({ data: lost.map(({ id }) => ({ id, done: 'registered since' })) });
  }) as unknown as ServiceClient;
  const lines: string[] = [];
  await recoverAccounts({ identity, profile, print: (line) => lines.push(line) });
  expect(compared).toEqual(pages.flat().map((id) => `${id}@people.test`));
  expect(stated, 'for services that have lost the users').toEqual(['b', 'e']);
  expect(lines).toEqual([
    'b\tregistered since',
    'e\tregistered since',
    '2 of 5 accounts that profile knows were brought up to date.',
  ]);
});
