import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { SAVED_FILTERS_MAX } from '@shortlist/contracts/limits';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId } from './users.ts';

const { db, drop } = await createTestDb(schema);
let profile: OpenedService;
beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const as = (userId: string) => ({ caller: { role: 'admin', userId } }) as const;
const save = (admin: string, name: string, filterId = newId()) =>
  profile.ask(
    directoryEndpoints.saveFilter,
    { filterId, name, query: { plan: 'free', country: 'Norway', joinedFrom: '2026-01-31', sort: '-name' } },
    as(admin),
  );
const namesOf = async (admin: string): Promise<string[]> =>
  (await profile.ask(directoryEndpoints.listFilters, {}, as(admin))).data.map(({ name }) => name);

describe('saved filters', () => {
  it('are of one admin, who reads, replaces and deletes them', async () => {
    const [ines, lukasz] = [newId(), newId()];
    const filterId = newId();
    await save(ines, 'Free in Norway', filterId);
    await save(ines, 'Another');
    await save(ines, 'Norwegians', filterId);
    expect([await namesOf(ines), await namesOf(lukasz)]).toEqual([['Another', 'Norwegians'], []]);
    const foreign = { code: 'profile.filter_not_found' };
    await expect(save(lukasz, 'Mine', filterId)).rejects.toMatchObject(foreign);
    await expect(
      profile.ask(directoryEndpoints.removeFilter, { filterId }, as(lukasz)),
    ).rejects.toMatchObject(foreign);
    await profile.ask(directoryEndpoints.removeFilter, { filterId }, as(ines));
    expect(await namesOf(ines)).toEqual(['Another']);
  });

  it('keep no searched text, which may name a person', async () => {
    const query = { plan: 'free', search: 'ada@people.test' } as const;
    const { status } = await fetch(`${profile.url}/saved-filters/${newId()}`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await profile.sign('profile', as(newId()).caller)}`,
      },
      body: JSON.stringify({ name: 'Ada', query }),
    });
    expect(status).toBe(400);
  });

  it(`are ${SAVED_FILTERS_MAX} of an admin at most`, async () => {
    const admin = newId();
    const ids = Array.from({ length: SAVED_FILTERS_MAX }, () => newId());
    for (const id of ids) await save(admin, 'One of many', id);
    await expect(save(admin, 'One too many')).rejects.toMatchObject({ code: 'profile.filters_full' });
    await save(admin, 'Renamed', ids[0]);
    expect(await namesOf(admin)).toContain('Renamed');
  });
});
