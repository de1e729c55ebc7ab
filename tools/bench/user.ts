// One user's screen of the admins: what each tab asks for, beside many other users.
import { randomUUID } from 'node:crypto';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { System } from '@shortlist/local/system';
import { chargeCredit, logInAdmin, registerSubscriber } from '../../harness/client.ts';
import { percentile, type Print, timed } from './measure.ts';
import { seedPopulation } from './directory.ts';
import { withSystem } from './surroundings.ts';

const USERS = Number(process.env.USERS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 50);
const SUBSCRIBERS = 10;
const CHARGES = 40;
const GOAL_MS = 300;

type Endpoint = keyof typeof publicEndpoints;

/** What the screen reads on every tab, after the user's profile. */
const ALWAYS = ['accountStatus', 'userDeletion'] as const satisfies readonly Endpoint[];
/** What it reads beside that when it opens on a tab. */
const TABS: Record<string, readonly (Endpoint | `${Endpoint}?${string}`)[]> = {
  details: ['userBuckets', 'listUserDevices', 'userNotes'],
  timeline: ['timeline'],
  credits: ['userBuckets'],
  payments: ['payments?users=', 'paymentTotals?users='],
  security: ['userFactors', 'listUserDevices', 'userAccess', 'listUserSignIns'],
  notes: ['userNotes'],
  changes: ['audit?targetId='],
};

type Read = (endpoint: string, userId: string) => Promise<void>;

const reader =
  ({ publicUrl }: System, token: string): Read =>
  async (wanted, userId) => {
    const [name = '', query] = wanted.split('?');
    const { path } = fillPath(publicEndpoints[name as Endpoint].path, { id: userId, userId });
    const url = `${publicUrl}${path}${query === undefined ? '' : `?${query}${userId}`}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
  };

/** A user who pays and has been charged, so that there is something to show. */
const addSubscriber = async (system: System): Promise<string> => {
  const user = await registerSubscriber(system, {});
  for (let index = 0; index < CHARGES; index += 1)
    await chargeCredit(system, user, { operationId: randomUUID() });
  return user.id;
};

/** Measures how long all requests of a tab take, sent at once to bff as an admin. USERS and ROUNDS can be set. */
export const benchUser = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    await seedPopulation(system, { count: USERS, now: new Date() }, print);
    const ids: string[] = [];
    while (ids.length < SUBSCRIBERS) ids.push(await addSubscriber(system));
    const read = reader(system, await logInAdmin(system));
    for (const [tab, endpoints] of Object.entries(TABS)) {
      const times: number[] = [];
      for (let round = -SUBSCRIBERS; round < ROUNDS; round += 1) {
        const id = ids.at(round % ids.length) ?? '';
        const open = async (): Promise<void> => {
          await read('userProfile', id);
          await Promise.all([...ALWAYS, ...endpoints].map((endpoint) => read(endpoint, id)));
        };
        const ms = await timed(open);
        if (round >= 0) times.push(ms);
      }
      const figures = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
      const [p50, p95, max] = figures.map((ms) => ms.toFixed(0).padStart(5));
      print(`user, ${tab.padEnd(10)} p50 ${p50}   p95 ${p95}   max ${max} ms   goal: p95 ${GOAL_MS}`);
    }
  });
