import { createLog } from '@shortlist/kit/process/log';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { useBff } from './support.ts';

type Line = { msg: string; route: string; status: number; userId?: string; actorId?: string };

const lines: Line[] = [];
const log = createLog('bff', 'info', { write: (text) => void lines.push(JSON.parse(text) as Line) });
const bff = await useBff({}, { log });

const lineOf = async (path: string, token?: string): Promise<Line | undefined> => {
  lines.length = 0;
  await bff.call(`GET ${path}`, token === undefined ? {} : { token });
  await until('the line', () => Promise.resolve(lines.some(({ msg }) => msg === 'request')));
  return lines.find(({ msg }) => msg === 'request');
};
/** An endpoint of users that anyone may call, and one of admins. */
const [OPEN, GUARDED] = ['/api/config', '/api/admin/system'];

it('the access log names the user of a session by id, and nothing of the token', async () => {
  const userId = uuidv7();
  const token = await bff.begin('user', userId);
  expect(await lineOf(OPEN, token)).toMatchObject({ status: 200, userId });
  expect(JSON.stringify(lines)).not.toContain(token.slice(0, 10));
});

it('the access log names a user who was refused', async () => {
  const userId = uuidv7();
  const token = await bff.begin('user', userId);
  expect(await lineOf(GUARDED, token)).toMatchObject({ status: 403, userId });
});

it('the access log names no user without a session', async () => {
  expect(await lineOf(OPEN)).not.toHaveProperty('userId');
  expect(await lineOf('/')).not.toHaveProperty('userId');
});

it('D7 the access log names the user and the admin who views the product as the user', async () => {
  const [userId, adminId] = [uuidv7(), uuidv7()];
  const admin = await bff.sessions.begin(adminId, 'admin');
  expect(await lineOf(OPEN, admin.token)).not.toHaveProperty('actorId');
  const { token } = await bff.sessions.beginViewing(userId, { id: adminId, token: admin.token, binding: '' });
  expect(await lineOf('/api/privacy/export', token)).toMatchObject({ status: 403, userId, actorId: adminId });
});
