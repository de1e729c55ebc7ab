import type { Handler } from '../front/front.ts';
import { sendJson } from '../front/reply.ts';
import { composeUser } from '../pages/user-view.ts';
import type { Services } from '../services.ts';
import { requireSession } from './identify.ts';
import type { Sessions } from './sessions.ts';

/** For an admin: one round trip to Redis and nothing else. */
export const createCheckAdmin =
  (sessions: Sessions): Handler =>
  async (request, response) => {
    const { remainingSeconds } = await requireSession(sessions, request, 'admin');
    sendJson(response, 200, { remainingTime: remainingSeconds });
  };

export const createCheckUser =
  (sessions: Sessions, services: Services): Handler =>
  async (request, response) => {
    const { userId, remainingSeconds } = await requireSession(sessions, request, 'user');
    const user = await composeUser(services, userId, { caller: { role: 'user', userId } });
    sendJson(response, 200, { remainingTime: remainingSeconds, user });
  };
