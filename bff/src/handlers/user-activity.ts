import { bucketEndpoints } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import { type Services, unlessAway } from '../services.ts';
import type { Sessions } from '../session/sessions.ts';

type Parts = { services: Services; sessions: Sessions; log: Log };

/** When a session of the user was used last; 0 if none is open. An admin's view of the account is no session of the user. */
const lastUse = async (sessions: Sessions, userId: string): Promise<number> => {
  const own = (await sessions.list(userId)).filter(({ role, by }) => role === 'user' && by === '');
  return Math.max(0, ...own.map(({ lastSeenAt }) => lastSeenAt));
};

/** The credits that the users of a page have left, and when each was seen last. */
export const userActivityEndpoint = ({ services, sessions, log }: Parts): Route =>
  composed(publicEndpoints.userActivity, async ({ input: { ids }, caller }) => {
    const userIds = [...new Set(ids.toLowerCase().split(','))];
    const page = { ids: userIds.join(',') };
    const [balances, logIns, uses] = await Promise.all([
      unlessAway(log, services.credits(bucketEndpoints.listBalances, page, { caller })),
      unlessAway(log, services.identity(signInEndpoints.listLastLogIns, page, { caller })),
      Promise.all(userIds.map((userId) => lastUse(sessions, userId))),
    ]);
    const left = new Map(balances?.data.map(({ userId, available }) => [userId, available]));
    const loggedIn = new Map(logIns?.data.map(({ userId, at }) => [userId, Date.parse(at)]));
    return {
      data: userIds.map((userId, index) => {
        const seen = Math.max(uses[index] ?? 0, loggedIn.get(userId) ?? 0);
        return {
          userId,
          available: left.get(userId) ?? null,
          lastSeenAt: seen === 0 ? null : new Date(seen).toISOString(),
        };
      }),
    };
  });
