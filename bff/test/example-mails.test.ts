import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { countStatuses, times } from './requests.ts';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();

it('an admin gets thirty examples of emails an hour, and other admins get theirs', async () => {
  bff.upstream.respond = respondWith(() => ({}));
  const [ines, lukasz] = [uuidv7(), uuidv7()];
  const send = (userId: string) => bff.call('sendExampleMail', { id: 'welcome', as: 'admin', userId });
  const first = [];
  for (const userId of times(31, () => ines)) first.push(await send(userId));
  expect(countStatuses(first)).toEqual({ 202: 30, 429: 1 });
  expect((await send(lukasz)).status).toBe(202);
  expect(bff.upstream.requestsTo('/send')).toHaveLength(31);
});
