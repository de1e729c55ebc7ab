import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlaces } from '../src/http/sign-in-origin.ts';
import { createPlaceDatabase } from './place-database.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'places-'));
});
afterAll(() => rm(directory, { recursive: true }));

it('finds the city and country of an address in the configured database', async () => {
  const path = join(directory, 'places.mmdb');
  const places = {
    '198.51.100.0/24': { city: 'Gothenburg', country: 'Sweden' },
    '203.0.113.0/25': { country: 'Norway' },
  };
  await writeFile(path, createPlaceDatabase(places));
  const findPlace = await openPlaces(path);
  expect(findPlace('198.51.100.7')).toBe('Gothenburg, Sweden');
  expect(findPlace('203.0.113.9')).toBe('Norway');
  for (const address of ['203.0.113.200', '127.0.0.1', '2001:db8::1', 'unknown', ''])
    expect(findPlace(address), address).toBe('');
});

it('without a database every place is unknown', async () => {
  expect((await openPlaces(''))('198.51.100.7')).toBe('');
});

it('a file that is no such database prevents the start', async () => {
  const path = join(directory, 'text.mmdb');
  await writeFile(path, 'not a database');
  await expect(openPlaces(path)).rejects.toThrow(/cannot start: GEOIP_DATABASE/);
  await expect(openPlaces(join(directory, 'missing.mmdb'))).rejects.toThrow(/cannot start: GEOIP_DATABASE/);
});
