import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { SAVED_FILTERS_MAX } from '@shortlist/contracts/limits';
import type { DataOf } from '@shortlist/contracts/events/define';
import { adminAccessChanged } from '@shortlist/contracts/events/identity';
import { createTestDb, listLockWaits } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { type OpenedService, openTestService } from '@shortlist/kit/testing/open-service';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { insertFilter } from '../src/directory/filter-queries.ts';
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

const codeOf = (error: { code?: string }): string | undefined => error.code;
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

  const fillAllButOne = async (admin: string): Promise<void> => {
    for (let count = 1; count < SAVED_FILTERS_MAX; count += 1) await save(admin, 'One of many');
  };

  it('take the last room once, whoever asks for it at the same moment', async () => {
    const admin = newId();
    await fillAllButOne(admin);
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => save(admin, 'The last').then(() => 'saved', codeOf)),
    );
    expect(results.toSorted()).toEqual([...Array<string>(3).fill('profile.filters_full'), 'saved']);
  });

  it('are saved once in the last room by a request that arrives twice', async () => {
    const admin = newId();
    const id = newId();
    await fillAllButOne(admin);
    await Promise.all([1, 2, 3].map(() => save(admin, 'The last', id)));
    expect(await namesOf(admin)).toHaveLength(SAVED_FILTERS_MAX);
  });

  const changeAccess = async (subject: string, data: DataOf<typeof adminAccessChanged>): Promise<void> => {
    const event = eventOf(adminAccessChanged, subject, data);
    await profile.bus.publish(adminAccessChanged.topic, [{ key: subject, value: JSON.stringify(event) }]);
    await profile.bus.release();
  };
  const change = { version: 2, by: newId(), generation: 2 };

  it('go with their admin, and no others', async () => {
    const [ines, lukasz] = [newId(), newId()];
    await save(ines, 'Of Ines');
    await save(lukasz, 'Of Lukasz');
    await changeAccess(ines, { ...change, role: null, isRemoved: true });
    expect([await namesOf(ines), await namesOf(lukasz)]).toEqual([[], ['Of Lukasz']]);
  });

  it('stay with an admin who gets another role, or is suspended and may come back', async () => {
    const ines = newId();
    await save(ines, 'Of Ines');
    await changeAccess(ines, { ...change, role: 'read_only', isRemoved: false });
    await changeAccess(ines, { ...change, role: null, isRemoved: false });
    expect(await namesOf(ines)).toEqual(['Of Ines']);
  });

  it('that are being saved while their admin is removed go, too', async () => {
    const ines = newId();
    const saving = db.createQueryRunner();
    await saving.startTransaction();
    await insertFilter(saving.manager, { id: newId(), adminId: ines, name: 'Late', query: {} });
    const removing = changeAccess(ines, { ...change, role: null, isRemoved: true });
    await until('the removal waits', async () => (await listLockWaits(db)).length > 0);
    await saving.commitTransaction();
    await saving.release();
    await removing;
    expect(await namesOf(ines)).toEqual([]);
  });
});
