import { startSystem } from '@shortlist/local/system';
import { logInAdmin } from '../journeys/client.ts';
import { seedDatabases } from '../seed/seed-databases.ts';
import { percentile } from './percentile.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 1_000_000);
const ROUNDS = 15;

const QUERIES: Record<string, string> = {
  'first page': '',
  'newest 20': 'newest',
  'by name, descending': 'sort=-name',
  'by e-mail': 'sort=email',
  'by organisation': 'sort=organizationName',
  'common first name': 'search=amara',
  'common word, by e-mail': 'search=talent&sort=email',
  'two common words': 'search=ingrid%20solberg',
  'rare word': 'search=bacedifo',
  'one address': 'search=amara.okafor.5@seed.shortlist.test',
  nobody: 'search=zzzzzzzz',
  'one letter': 'search=a',
  premium: 'plan=premium',
  'premium in one country': 'plan=premium&country=Norway',
  'country, by organisation': 'country=Norway&sort=organizationName',
  'joined in one month, by name': `joinedFrom=${new Date(Date.now() - 400 * 86_400_000).toISOString()}&joinedTo=${new Date(Date.now() - 370 * 86_400_000).toISOString()}&sort=name`,
};

type Page = { next: string | null };

const timed = async (url: string, token: string): Promise<{ ms: number; page: Page }> => {
  const begun = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const page = (await response.json()) as Page;
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return { ms: performance.now() - begun, page };
};

/** Time at bff's door for each kind of question; each round goes one page further where there is one. */
export const benchDirectory = async (tell: (line: string) => void): Promise<void> => {
  const system = await startSystem({});
  try {
    tell(`seeding ${PEOPLE} people`);
    await seedDatabases({ adminUrl: system.backing.databaseAdminUrl, count: PEOPLE, now: new Date(), tell });
    const token = await logInAdmin(system);
    for (const [name, query] of Object.entries(QUERIES)) {
      const path = query === 'newest' ? '/api/users/newest?limit=20' : `/api/users?${query}`;
      const times: number[] = [];
      let cursor: string | null = null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { ms, page } = await timed(
          `${system.publicUrl}${path}${cursor === null ? '' : `&cursor=${cursor}`}`,
          token,
        );
        times.push(ms);
        cursor = page.next ?? null;
      }
      tell(
        `${name.padEnd(30)} p50 ${percentile(times, 0.5).toFixed(0).padStart(5)} ms   p95 ${percentile(times, 0.95).toFixed(0).padStart(5)} ms`,
      );
    }
  } finally {
    await system.stop();
  }
};
