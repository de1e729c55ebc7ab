import { adminInvited } from '@shortlist/contracts/events/team';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker(14);
});
afterAll(() => worker.close());

it('D6 an invitation goes to the address that identity names, with role, days and the link', async () => {
  const id = worker.addAccount(); // an address without a profile, as of an invitation
  await worker.publish(adminInvited, id, { role: 'read_only', by: uuidv7() });
  await worker.send(id);
  const [mail] = await worker.sent(id);
  expect(mail?.subject).toBe('You are invited to the Shortlist panel');
  expect(mail?.text).toContain('with the role Read-only.');
  expect(mail?.text).toContain('The link works once, for 7 days, and only for this address.');
  expect(mail?.text).toMatch(
    /Accept the invitation: https:\/\/shortlist\.test\/admin\/accept-invitation#token=admin_invite-\d+/,
  );
});
