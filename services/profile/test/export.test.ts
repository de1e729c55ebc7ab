import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { openTestService, type OpenedService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProfileService } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { newId, profileFields } from './users.ts';

const { db, drop } = await createTestDb(schema);
const ADMIN = '0198a0b0-0000-7000-8000-00000000000a';
const admin = { caller: { role: 'admin', userId: ADMIN, address: '192.0.2.7' } } as const;
let profile: OpenedService;

beforeAll(async () => {
  profile = await openTestService(createProfileService({ db, clock: () => new Date() }), { db });
});
afterAll(async () => {
  await profile.stop();
  await drop();
});

const exportUsers = async (query: string): Promise<Uint8Array> => {
  const token = await profile.sign('profile', admin.caller);
  const response = await fetch(`${profile.url}${directoryEndpoints.exportDirectory.path}${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};

it('an exported list begins with the byte order mark for spreadsheets', async () => {
  const bytes = await exportUsers('');
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toMatch(/^Full Name,/);
});

it('an exported list has no cell that a spreadsheet evaluates, even with full-width signs', async () => {
  const id = newId();
  const user = { ...profileFields, organizationName: '＝HYPERLINK("http://evil.test")', id };
  const created = { ...user, email: `${id}@talent.test`, picture: null, createdAt: new Date().toISOString() };
  await profile.ask(profileEndpoints.createProfile, created, admin);
  const text = new TextDecoder().decode(await exportUsers(`?search=${id}`));
  expect(text).toContain(`"'＝HYPERLINK(""http://evil.test"")"`);
});

it('an export is in the audit log with its admin, address and filters, without the searched text', async () => {
  await exportUsers('?search=ada%40private.test&plan=premium');
  const { data } = await profile.ask(auditEndpoint, { actorId: ADMIN, action: 'users.export' }, admin);
  expect(data[0]).toMatchObject({
    actorId: ADMIN,
    targetId: ADMIN,
    address: '192.0.2.7',
    before: null,
    after: { plan: 'premium', isSearch: true },
  });
  expect(JSON.stringify(data)).not.toContain('private');
});
