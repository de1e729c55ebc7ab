import { type NewProfile, type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import {
  gifOf,
  gifScript,
  hostile,
  largestCanvas,
  makeAll,
  picture,
  pngWithNote,
} from './hostile-pictures.ts';
import { newId, shown } from './people.ts';

const { db, drop } = await createTestDb(schema);
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const service = { caller: { role: 'service', userId: null } } as const;
let now = new Date('2026-03-01T12:00:00.000Z');
let profile: OpenedService;

beforeAll(async () => {
  // The clock of the pictures stands still until a test moves it; tokens go by the real one.
  profile = await openTestService(createProfileService({ db, clock: () => now }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const create = async (name: string | null): Promise<Profile> => {
  const id = newId();
  const email = `${id}@talent.test`;
  const person: NewProfile = { ...shown, id, email, picture: name, createdAt: now.toISOString() };
  return (await profile.ask(profileEndpoints.createProfile, person, anonymous)).data;
};
const change = (id: string, more: { picture: string; version?: number }) =>
  profile.ask(
    profileEndpoints.updateProfile,
    { ...shown, id, ...more },
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

/** By how much the process grew, at most, while `work` ran. */
const growth = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 2);
  await work();
  clearInterval(watch);
  return most - before;
};
const MEGABYTE = 1024 * 1024;

describe('a picture that is taken', () => {
  it.each(['png', 'jpeg', 'gif'] as const)(
    'E1 (%s) is written anew as a small JPEG under a name of ours, and served so that nothing in it runs',
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
      const kept = await sharp(await reply.arrayBuffer()).metadata();
      expect(kept).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    },
  );

  it('E1 keeps nothing of what was written beside its pixels', async () => {
    const withPlace = await sharp(await picture(600))
      .withExif({ IFD0: { Copyright: 'taken at home' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    expect(withPlace.includes('taken at home')).toBe(true);
    for (const bytes of [withPlace, pngWithNote('taken at home')]) {
      const kept = Buffer.from(await (await get(await store(bytes))).arrayBuffer());
      expect(kept.includes('taken at home')).toBe(false);
      expect(await sharp(kept).metadata()).not.toHaveProperty('exif');
    }
  });

  it('E1 of an animation is its first frame', async () => {
    const kept = await (await get(await store(gifOf(40)))).arrayBuffer();
    expect((await sharp(kept).metadata()).pages ?? 1).toBe(1);
  });
});

describe('a picture that is none', () => {
  it('E3 is refused whatever it is, leaves nothing, and the memory of the process stays bounded', async () => {
    const corpus = await makeAll(hostile);
    const before = await countStored();
    const answers: Record<string, string> = {};
    const grown = await growth(async () => {
      for (const [name, bytes] of corpus) {
        const refused = await store(bytes).then(
          () => 'stored',
          (error: { code: string }) => error.code,
        );
        answers[name] = refused;
      }
    });
    expect(answers).toEqual(Object.fromEntries(corpus.map(([name]) => [name, 'profile.picture_type'])));
    expect(await countStored()).toBe(before);
    expect(grown).toBeLessThan(200 * MEGABYTE);
    expect(await status(await store(await picture()))).toBe(200);
  });

  it('E3 that is a picture and a script at once leaves only the picture', async () => {
    await expect(store(gifScript('/*\x01\0'))).rejects.toMatchObject({ code: 'profile.picture_type' });
    const kept = Buffer.from(await (await get(await store(gifScript('\n\n\n\n')))).arrayBuffer());
    expect((await sharp(kept).metadata()).format).toBe('jpeg');
    expect(kept.includes('alert')).toBe(false);
  });

  it('E3 the largest canvases, eight at once, are read one after the other', async () => {
    const bytes = await largestCanvas();
    const one = await growth(() => store(bytes));
    const eight = await growth(() => Promise.all(Array.from({ length: 8 }, () => store(bytes))));
    expect(eight).toBeLessThan(one + 200 * MEGABYTE);
  });

  it('E3 a flood of pictures is told to come back', async () => {
    const bytes = await largestCanvas();
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => store(bytes)));
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    expect(refused.length).toBe(10);
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'profile.pictures_busy', status: 503 });
    expect(await status(await store(await picture()))).toBe(200);
  });
});

describe('the name of a picture', () => {
  it.each([
    '../../etc/passwd',
    '..\\..\\x',
    `${'a'.repeat(32)}.jpg%00.html`,
    'a.png',
    'x'.repeat(4_096),
    "' OR 1=1 --",
    '＊.jpg',
  ])('E4 that is not ours (%s) leads nowhere', async (name) => {
    await store(await picture());
    const reply = await get(encodeURIComponent(name));
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('application/json');
  });
});

describe('a picture whose form came to nothing', () => {
  const HOUR_MS = 60 * 60 * 1000;
  const sweep = () => profile.ask(profileEndpoints.sweepPictures, {}, service);

  it('E6 because the database failed is swept within the hour; one in use stays', async () => {
    const [lost, used] = [await store(await picture()), await store(await picture())];
    await db.query('ALTER TABLE profiles RENAME TO profiles_away');
    await expect(create(lost)).rejects.toMatchObject({ status: 500 });
    await db.query('ALTER TABLE profiles_away RENAME TO profiles');
    await create(used);
    now = new Date(now.getTime() + HOUR_MS - 1000);
    await sweep();
    expect([await status(lost), await status(used)]).toEqual([200, 200]);
    now = new Date(now.getTime() + 2000);
    await sweep();
    expect([await status(lost), await status(used)]).toEqual([404, 200]);
  });

  it('E6 because storing it failed leaves no row', async () => {
    const before = await countStored();
    await db.query("CREATE TRIGGER full_disk BEFORE INSERT ON pictures FOR EACH ROW SIGNAL SQLSTATE '45000'");
    await expect(store(await picture())).rejects.toMatchObject({ status: 500 });
    await db.query('DROP TRIGGER full_disk');
    expect(await countStored()).toBe(before);
  });

  it('E6 because somebody else’s edit came first leaves theirs, and is swept', async () => {
    const [mine, theirs] = [await store(await picture()), await store(await picture())];
    const { id, version } = await create(null);
    await change(id, { picture: theirs, version });
    await expect(change(id, { picture: mine, version })).rejects.toMatchObject({
      code: 'profile.version_conflict',
    });
    now = new Date(now.getTime() + HOUR_MS + 1000);
    await sweep();
    expect([await status(mine), await status(theirs)]).toEqual([404, 200]);
  });
});

describe('a picture that is replaced', () => {
  it('E6 is gone once the edit is committed', async () => {
    const [first, second] = [await store(await picture()), await store(await picture())];
    const { id } = await create(first);
    expect((await change(id, { picture: second })).data.picture).toBe(second);
    expect([await status(first), await status(second)]).toEqual([404, 200]);
  });

  it('E6 stays when the edit is rolled back', async () => {
    const [first, second] = [await store(await picture()), await store(await picture())];
    const { id } = await create(first);
    // What an edit writes last is its fact.
    await db.query("CREATE TRIGGER no_fact BEFORE INSERT ON outbox FOR EACH ROW SIGNAL SQLSTATE '45000'");
    await expect(change(id, { picture: second })).rejects.toMatchObject({ status: 500 });
    await db.query('DROP TRIGGER no_fact');
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    expect((await profile.ask(profileEndpoints.getProfile, { id }, service)).data.picture).toBe(first);
  });

  it('E6 by two edits at once leaves one picture and no other', async () => {
    const { id } = await create(await store(await picture()));
    const names = await Promise.all([1, 2, 3, 4].map(async () => store(await picture())));
    await Promise.all(names.map((name) => change(id, { picture: name })));
    const { data } = await profile.ask(profileEndpoints.getProfile, { id }, service);
    const rows = await db.query<{ name: string }[]>('SELECT name FROM pictures WHERE user_id = ?', [id]);
    expect(rows).toEqual([{ name: data.picture }]);
  });
});
