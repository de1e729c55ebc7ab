import { type NewProfile, type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { hours } from '@shortlist/contracts/durations';
import { asService } from '@shortlist/kit/http/http-client';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/databases';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { createPictureEncoder } from '../src/pictures/encode-picture.ts';
import {
  gifOf,
  gifScript,
  hostile,
  largestCanvas,
  makeAll,
  picture,
  pngWithNote,
  withTexts,
} from './hostile-pictures.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const service = asService();
let now = new Date('2026-03-01T12:00:00.000Z');
let profile: OpenedService;

beforeAll(async () => {
  // A test moves the clock of the pictures; tokens use the real one.
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const create = async (name: string | null): Promise<Profile> => {
  const id = newId();
  const email = `${id}@talent.test`;
  const newProfile: NewProfile = { ...profileFields, id, email, picture: name, createdAt: now.toISOString() };
  return (await profile.ask(profileEndpoints.createProfile, newProfile, anonymous)).data;
};
const change = (id: string, more: { picture: string | null; version?: number }) =>
  profile.ask(
    profileEndpoints.updateProfile,
    { ...profileFields, id, ...more },
    { caller: { role: 'user', userId: id } },
  );

const store = async (bytes: Buffer): Promise<string> => {
  const { name } = await profile.ask(
    profileEndpoints.storePicture,
    { picture: new Uint8Array(bytes) },
    { ...anonymous, timeoutMs: 25_000 },
  );
  return name;
};
const get = (name: string): Promise<Response> => fetch(`${profile.url}/profile_pictures/${name}`);
const status = async (name: string): Promise<number> => (await get(name)).status;
const countStored = async (): Promise<number> =>
  Number((await db.query<{ n: number }[]>('SELECT COUNT(*) AS n FROM pictures'))[0]?.n);

/** The maximal growth of the process while `work` runs, in bytes. */
const growth = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss();
  let maximum = before;
  const watch = setInterval(() => (maximum = Math.max(maximum, process.memoryUsage.rss())), 2);
  await work();
  clearInterval(watch);
  return maximum - before;
};
const MEGABYTE = 1024 * 1024;

describe('an accepted picture', () => {
  it.each(['png', 'jpeg', 'gif'] as const)(
    'E1 (%s) is stored as a small JPEG under a generated name, and served so that no script in it runs',
    async (format) => {
      const bytes = await sharp(await picture(600))
        .toFormat(format)
        .toBuffer();
      const name = await store(bytes);
      expect(name).toMatch(/^[a-f0-9]{32}\.jpg$/);
      const reply = await get(name);
      expect(reply.headers.get('content-type')).toBe('image/jpeg');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      const stored = await sharp(await reply.arrayBuffer()).metadata();
      expect(stored).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    },
  );

  it('E1 contains only the pixels of the upload', async () => {
    const withLocation = await sharp(await picture(600))
      .withExif({ IFD0: { Copyright: 'taken at home' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    expect(withLocation.includes('taken at home')).toBe(true);
    for (const bytes of [withLocation, pngWithNote('taken at home')]) {
      const stored = Buffer.from(await (await get(await store(bytes))).arrayBuffer());
      expect(stored.includes('taken at home')).toBe(false);
      expect(await sharp(stored).metadata()).not.toHaveProperty('exif');
    }
  });

  it('E1 is cached only by the browser, for an hour, and its replacement has a new name', async () => {
    const [first, second] = [await store(await picture()), await store(await picture())];
    const { id } = await create(first);
    expect((await get(first)).headers.get('cache-control')).toBe('private, max-age=3600');
    expect((await change(id, { picture: second })).data.picture).toBe(second);
    expect(second).not.toBe(first);
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    expect((await get(first)).headers.get('cache-control')).toBeNull(); // bff's no-store stays
  });

  it('E1 is the first frame of an animation', async () => {
    const stored = await (await get(await store(gifOf(40)))).arrayBuffer();
    expect((await sharp(stored).metadata()).pages ?? 1).toBe(1);
  });
});

describe('a hostile upload', () => {
  it('E3 of every kind is refused and leaves no row, or loses its compressed parts, and the memory of the process stays bounded', async () => {
    const corpus = await makeAll(hostile);
    const before = await countStored();
    const results: Record<string, string> = {};
    const grownBytes = await growth(async () => {
      for (const [name, bytes] of corpus) {
        results[name] = await store(bytes).then(
          () => 'stored',
          (error: { code: string }) => error.code,
        );
      }
    });
    const isBomb = (name: string): boolean => name.includes('unpack');
    const codes = corpus.filter(([name]) => !isBomb(name)).map(([name]) => results[name]);
    expect(new Set(codes)).toEqual(
      new Set(['profile.picture_type', 'profile.picture_damaged', 'profile.picture_pixels']),
    );
    expect(results).toMatchObject({
      PHP: 'profile.picture_type',
      'a PNG that is cut off': 'profile.picture_damaged',
      'a canvas of 30,000 by 30,000': 'profile.picture_pixels',
    });
    // Removed parts are never unpacked, and do not count against the picture.
    const bombs = corpus.filter(([name]) => isBomb(name)).map(([name]) => results[name]);
    expect(new Set(bombs)).toEqual(new Set(['stored']));
    expect(await countStored()).toBe(before + bombs.length);
    expect(grownBytes).toBeLessThan(200 * MEGABYTE);
    expect(await status(await store(await picture()))).toBe(200);
  });

  it('E3 with compressed text is stored without unpacking the text', async () => {
    const bytes = await withTexts();
    expect(bytes.length).toBeLessThan(256 * 1024);
    let name = '';
    const grownBytes = await growth(async () => {
      name = await store(bytes);
    });
    expect(grownBytes).toBeLessThan(100 * MEGABYTE);
    expect(await status(name)).toBe(200);
  });

  it('E3 that is a picture and a script is refused or stored as a picture only', async () => {
    await expect(store(gifScript('/*\x01\0'))).rejects.toMatchObject({ code: 'profile.picture_type' });
    const stored = Buffer.from(await (await get(await store(gifScript('\n\n\n\n')))).arrayBuffer());
    expect((await sharp(stored).metadata()).format).toBe('jpeg');
    expect(stored.includes('alert')).toBe(false);
  });

  it('E3 with the largest canvas is decoded one at a time when four are concurrent', async () => {
    const bytes = await largestCanvas();
    const one = await growth(() => store(bytes));
    const four = await growth(() => Promise.all(Array.from({ length: 4 }, () => store(bytes))));
    expect(four).toBeLessThan(one + 200 * MEGABYTE);
  });

  it('E3 beyond the queue is refused with 503', async () => {
    const bytes = await picture();
    const encode = createPictureEncoder();
    // Not over HTTP: here all thirty arrive before the first is decoded.
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => encode(bytes)));
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    expect(refused.length).toBe(10);
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'profile.pictures_busy', status: 503 });
    await expect(encode(bytes)).resolves.toBeInstanceOf(Buffer);
  });
});

describe('a request for a picture', () => {
  it.each([
    '../../etc/passwd',
    '..\\..\\x',
    `${'a'.repeat(32)}.jpg%00.html`,
    'a.png',
    'x'.repeat(4_096),
    "' OR 1=1 --",
    '＊.jpg',
  ])('E4 with a name that was not generated (%s) is answered with 404', async (name) => {
    await store(await picture());
    const reply = await get(encodeURIComponent(name));
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('application/json');
  });
});

describe('a picture of a failed sign-up or edit', () => {
  const sweep = () => profile.ask(profileEndpoints.sweepPictures, {}, service);

  it('E6 is deleted after an hour if the database failed, but a picture in use is not', async () => {
    const [lost, used] = [await store(await picture()), await store(await picture())];
    await db.query('ALTER TABLE profiles RENAME TO profiles_away');
    await expect(create(lost)).rejects.toMatchObject({ status: 500 });
    await db.query('ALTER TABLE profiles_away RENAME TO profiles');
    await create(used);
    now = new Date(now.getTime() + hours(1) - 1000);
    await sweep();
    expect([await status(lost), await status(used)]).toEqual([200, 200]);
    now = new Date(now.getTime() + 2000);
    await sweep();
    expect([await status(lost), await status(used)]).toEqual([404, 200]);
  });

  it('E6 leaves no row when storing it failed', async () => {
    const before = await countStored();
    await db.query("CREATE TRIGGER full_disk BEFORE INSERT ON pictures FOR EACH ROW SIGNAL SQLSTATE '45000'");
    await expect(store(await picture())).rejects.toMatchObject({ status: 500 });
    await db.query('DROP TRIGGER full_disk');
    expect(await countStored()).toBe(before);
  });

  it('E6 is deleted when another edit came first, whose picture stays', async () => {
    const [losing, winning] = [await store(await picture()), await store(await picture())];
    const { id, version } = await create(null);
    await change(id, { picture: winning, version });
    await expect(change(id, { picture: losing, version })).rejects.toMatchObject({
      code: 'profile.version_conflict',
    });
    now = new Date(now.getTime() + hours(1) + 1000);
    await sweep();
    expect([await status(losing), await status(winning)]).toEqual([404, 200]);
  });
});

describe('a removed picture', () => {
  it('is deleted when the edit is committed, and the user then has none', async () => {
    const name = await store(await picture());
    const { id } = await create(name);
    expect((await change(id, { picture: null })).data.picture).toBeNull();
    expect(await status(name)).toBe(404);
    expect((await change(id, { picture: null })).data.picture).toBeNull();
  });

  it('stays if the user has been changed in the meantime', async () => {
    const name = await store(await picture());
    const { id } = await create(name);
    await expect(change(id, { picture: null, version: 9 })).rejects.toMatchObject({ status: 409 });
    expect(await status(name)).toBe(200);
  });
});

describe('a replaced picture', () => {
  it('E6 is deleted when the edit is committed', async () => {
    const [first, second] = [await store(await picture()), await store(await picture())];
    const { id } = await create(first);
    expect((await change(id, { picture: second })).data.picture).toBe(second);
    expect([await status(first), await status(second)]).toEqual([404, 200]);
  });

  it('E6 stays when the edit is rolled back', async () => {
    const [first, second] = [await store(await picture()), await store(await picture())];
    const { id } = await create(first);
    // An edit writes its event after the picture.
    await db.query("CREATE TRIGGER no_event BEFORE INSERT ON outbox FOR EACH ROW SIGNAL SQLSTATE '45000'");
    await expect(change(id, { picture: second })).rejects.toMatchObject({ status: 500 });
    await db.query('DROP TRIGGER no_event');
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    expect((await profile.ask(profileEndpoints.getProfile, { id }, service)).data.picture).toBe(first);
  });

  it('E6 of concurrent edits leaves exactly one picture', async () => {
    const { id } = await create(await store(await picture()));
    const names = await Promise.all([1, 2, 3, 4].map(async () => store(await picture())));
    await Promise.all(names.map((name) => change(id, { picture: name })));
    const { data } = await profile.ask(profileEndpoints.getProfile, { id }, service);
    const rows = await db.query<{ name: string }[]>('SELECT name FROM pictures WHERE user_id = ?', [id]);
    expect(rows).toEqual([{ name: data.picture }]);
  });
});
