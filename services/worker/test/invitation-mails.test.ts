import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { adminInvited, ownerAdded } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const mailsTo = async (userId: string) => {
  await worker.send(userId);
  return worker.sent(userId);
};

describe('D6 an invitation', () => {
  it('goes to the address that identity returns, with role, days and the link', async () => {
    const id = worker.addAccount(); // an address without a profile, as of an invitation
    await worker.publish(adminInvited, id, { role: 'read_only', by: uuidv7() });
    const [mail] = await mailsTo(id);
    expect(mail?.subject).toBe('You are invited to the Shortlist admin panel');
    expect(mail?.text).toContain('with the role Read-only.');
    expect(mail?.text).toContain('The link works once, expires in 7 days, and is only for this address.');
    expect(mail?.text).toMatch(
      /Accept the invitation: https:\/\/shortlist\.test\/admin\/accept-invitation#token=admin_invite-\d+/,
    );
  });

  it('is reported once to every owner, including the one who sent it, and to no other admin', async () => {
    const [sender, other] = [worker.addAdmin(), worker.addAdmin()];
    const [support, suspended] = [worker.addAdmin('support'), worker.addAdmin()];
    worker.suspendAdmin(suspended);
    const event = await worker.publish(adminInvited, worker.addAccount(), { role: 'finance', by: sender });
    await worker.publishAgain(event, adminInvited.topic);
    for (const owner of [sender, other]) {
      const [mail, ...more] = await mailsTo(owner);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('An invitation to the Shortlist admin panel was sent');
      expect(mail?.text).toContain('with the role Finance.');
      expect(mail?.text).toContain('See the team: https://shortlist.test/admin/team');
    }
    for (const admin of [support, suspended]) expect(await worker.rows(admin)).toEqual([]);
    for (const admin of [sender, other, support, suspended]) worker.removeAdmin(admin);
  });
});

describe('D6 a new owner', () => {
  it.each([
    ['by the operator', SYSTEM_ACTOR_ID, 'An operator created an account with the role Owner'],
    ['by an owner', uuidv7(), 'An owner gave an account the role Owner'],
  ])('%s is reported to the existing owners', async (_by, by, text) => {
    const [owner, added, support] = [worker.addAdmin(), worker.addAdmin(), worker.addAdmin('support')];
    await worker.publish(ownerAdded, added, { by });
    const [mail, ...more] = await mailsTo(owner);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('The Shortlist admin panel has a new owner');
    expect(mail?.text).toContain(text);
    for (const admin of [added, support]) expect(await worker.rows(admin)).toEqual([]);
    for (const admin of [owner, added, support]) worker.removeAdmin(admin);
  });

  it('is not reported to one who is no longer an owner when the email is sent', async () => {
    const owner = worker.addAdmin();
    await worker.publish(ownerAdded, uuidv7(), { by: SYSTEM_ACTOR_ID });
    worker.addAdmin('support', owner);
    expect(await mailsTo(owner)).toEqual([]);
    expect(await worker.rows(owner)).toMatchObject([{ status: 'skipped' }]);
    worker.removeAdmin(owner);
  });
});
