import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ana,
  bearer,
  field,
  filePart,
  form,
  type Input,
  MULTIPART,
  newEmail,
  openRequest,
  type RawResponse,
  sendEndlessForm,
  userForm,
} from './requests.ts';
import { respondWith, useBff } from './support.ts';

const STORED = `${'0'.repeat(32)}.jpg`;
const MEGABYTE = 1024 * 1024;
const TOO_LARGE = 'File size exceeds 5MB. Please select a smaller file.';

const bff = await useBff();
beforeEach(() => {
  const account = { id: uuidv7(), email: 'a@b.co', ...ana };
  bff.upstream.respond = respondWith(
    ({ url }) => (url === '/pictures' ? { name: STORED } : { data: account, planState: { version: 1 } }),
    201,
  );
});

const newAccount = () => ({ ...ana, email: newEmail(), password: 'open sesame' });
const signUp = (body: object, type = MULTIPART): Promise<RawResponse> =>
  bff.call('signup', { body, headers: { 'content-type': type } });
const account = field('userData', JSON.stringify(newAccount()));
const expectSignUp = async (): Promise<void> => expect((await signUp(newAccount())).status).toBe(201);
/** Sends the head of a sign-up and the beginning of its form. */
const openSignUp = (headers: Record<string, string | number>, start: Buffer = Buffer.alloc(0)): Socket =>
  openRequest(bff.port, 'POST /signup', { 'content-type': MULTIPART, ...headers }, start);
/** The bytes of the system's buffers, which are sent and not read. */
const BUFFERED = 16 * MEGABYTE;
const sendEndless = (operation: `${string} ${string}`, headers: Record<string, string | number>) =>
  sendEndlessForm(bff.port, operation, { headers, maxBytes: 60 * MEGABYTE });
const changeAtProfile = () => bff.upstream.requests.find(({ method }) => method === 'PUT')?.json;

/** Gives each test of a group a folder of its own for uploads, and returns a function that lists what is in it. */
const useTemporaryFolder = (): (() => Promise<string[]>) => {
  let temporary = '';
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'uploads-'));
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  });
  return () => readdir(temporary);
};

describe('a picture in a form', () => {
  const expectForwarded = async (
    bytes: Buffer,
    part: { name?: string; type?: string } = {},
  ): Promise<void> => {
    const response = await signUp(form(account, filePart(bytes, part)));
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({ data: { picture: STORED } });
    const pictures = bff.upstream.requestsTo('/pictures');
    expect([pictures.length, pictures[0]?.body.equals(bytes)]).toEqual([1, true]);
  };

  it('E1 of exactly five megabytes is forwarded unchanged', () =>
    expectForwarded(Buffer.alloc(PICTURE_MAX_BYTES, 7)));

  it.each(['image/jpg', 'image/svg+xml', 'application/octet-stream', ''])(
    'E3 that is declared as %j reaches profile, which decides by its content',
    (type) => expectForwarded(Buffer.from('pixels'), { type }),
  );

  it.each([
    ['../', '../../../etc/passwd'],
    ['a drive', 'C:\\windows\\system32\\a.png'],
    ['an encoded zero byte', 'a.png%00.html'],
    ['4 kB', `${'n'.repeat(4_096)}.png`],
    ['a right-to-left override', 'photo\u202egnp.exe'],
    ['slashes of other scripts', '\uff0e\uff0e\uff0f\u2215etc\u2044passwd'],
    ['a line end', 'a%0D%0AX-Role: admin.png'],
  ])(
    'E4 with %s in its file name is stored under a generated name, and the file name reaches no service',
    async (_, name) => {
      await expectForwarded(Buffer.from('pixels'), { name });
      for (const { url, headers, body } of bff.upstream.requests) {
        const sent = `${url} ${JSON.stringify(headers)} ${String(body)}`;
        expect([sent.includes(name), sent.includes(encodeURIComponent(name))]).toEqual([false, false]);
      }
    },
  );
});

describe('a picture above the size limit', () => {
  const listStored = useTemporaryFolder();

  it('E2 by one byte is refused with the agreed message, not stored and not forwarded', async () => {
    const response = await signUp(form(account, filePart(Buffer.alloc(PICTURE_MAX_BYTES + 1))));
    expect(response.status).toBe(413);
    expect(response.body).toContain(TOO_LARGE);
    expect(bff.upstream.requests).toEqual([]);
    expect(await listStored()).toEqual([]);
  });

  it.each<[string, Record<string, number>, number]>([
    ['with a Content-Length', { 'content-length': 60 * MEGABYTE }, MEGABYTE],
    ['without a Content-Length', {}, PICTURE_MAX_BYTES + MEGABYTE],
  ])('E2 %s is not read to its end', async (_, headers, readable) => {
    const { response, sentBytes } = await sendEndless('POST /signup', headers);
    expect(response).toMatch(/^HTTP\/1\.1 413/);
    expect(response).toContain(TOO_LARGE);
    expect(sentBytes).toBeLessThan(readable + BUFFERED);
    expect(bff.upstream.requests).toEqual([]);
    // The part that has been stored goes when the connection has ended, after the response.
    await until('an empty folder', async () => (await listStored()).length === 0);
    await expectSignUp();
  });
});

describe('the temporary folder', () => {
  const listStored = useTemporaryFolder();
  const picture = filePart(Buffer.alloc(MEGABYTE, 1));
  const isEmpty = async (): Promise<boolean> => (await listStored()).length === 0;

  it.each([
    ['was accepted', form(account, picture), 201],
    ['had an invalid field', form(field('userData', '{}'), picture), 400],
  ])('has no picture of a form that %s', async (_, body, status) => {
    const response = await signUp(body);
    expect(response.status).toBe(status);
    await until('an empty folder', isEmpty);
  });

  it('has no picture of a form whose client disconnected', async () => {
    const start = Buffer.concat([account, picture.subarray(0, 70_000)]);
    const socket = openSignUp({ 'content-length': 2_000_000 }, start);
    await until('the picture', async () => !(await isEmpty()));
    socket.destroy();
    await until('an empty folder', isEmpty);
    expect(bff.upstream.requests).toEqual([]);
  });
});

describe('an invalid form', () => {
  const pixels = filePart(Buffer.from('x'));
  const NESTED = [
    '--b\r\nContent-Disposition: form-data; name="userData"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n',
    '--c\r\nContent-Disposition: file; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--c--\r\n--b--\r\n',
  ];

  it.each<[string, Buffer, type?: string]>([
    ['no boundary', Buffer.from('x'), 'multipart/form-data'],
    ['another boundary than it names', form(account), 'multipart/form-data; boundary=c'],
    ['a missing end', account.subarray(0, -8)],
    ['an empty field name', form(field('', 'x'))],
    ['a field name of 4 kB', form(field('n'.repeat(4_096), 'x'), account)],
    ['10,000 parts', form(account, ...Array.from({ length: 10_000 }, () => field('a', 'x')))],
    ['10,000 headers in a part', Buffer.from(`--b\r\n${'X-A: b\r\n'.repeat(10_000)}\r\nx\r\n--b--\r\n`)],
    ['two files', form(account, pixels, pixels)],
    ['a file under another name', form(account, Buffer.from(String(pixels).replace('"file"', '"avatar"')))],
    ['a form inside the form', Buffer.from(NESTED.join(''))],
    ['no userData', form(field('other', '{}'))],
    ['truncated userData', form(field('userData', '{"a'))],
    ['userData twice', form(account, account)],
    ['userData that is a list', form(field('userData', '[1]'))],
    ['userData of 40 kB', form(field('userData', `"${'a'.repeat(40_000)}"`))],
    ['userData under the prototype', form(field('__proto__[userData]', '{}'))],
  ])('E5 with %s returns 400, and the next form is accepted', async (_, body, type = MULTIPART) => {
    expect((await signUp(body, type)).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
    await expectSignUp();
  });

  it.each([
    ['Multipart/Form-Data; charset=utf8; boundary=b', 201, null],
    ['multipart/form-data; boundary=b; charset="UTF-8"', 201, null],
    ['multipart/form-data; boundary=b; charset=latin1', 415, 'request.unsupported_charset'],
    ['multipart/form-data-2; boundary=b', 415, 'request.unsupported_type'],
  ])('or one of the type %s returns %i', async (type, status, code) => {
    const response = await signUp(newAccount(), type);
    expect([response.status, response.code ?? null]).toEqual([status, code]);
  });

  it('E5 whose sender disconnects repeatedly has no effect on others', async () => {
    const whole = Buffer.concat([account, filePart(Buffer.alloc(9_000))]);
    for (let round = 0; round < 10; round += 1)
      for (const start of [Buffer.alloc(0), account, whole.subarray(0, -3)]) {
        const socket = openSignUp({ 'content-length': 100_000 }, start);
        socket.write('', () => setImmediate(() => socket.destroy()));
        await once(socket, 'close');
      }
    expect(bff.upstream.requests).toEqual([]);
    await expectSignUp();
  });
});

describe('an unauthorised edit', () => {
  type Headers = Record<string, string>;
  const sessionOf = async (role: 'user' | 'admin'): Promise<Headers> => bearer(await bff.begin(role));
  const fromElsewhere = async () => ({ ...(await sessionOf('admin')), origin: 'https://evil.test' });

  it.each<[string, () => Headers | Promise<Headers>, id: string, status: number]>([
    ['an anonymous client', () => ({}), uuidv7(), 401],
    ['an ended session', () => bearer('a'.repeat(43)), uuidv7(), 401],
    ['another page’s script', fromElsewhere, uuidv7(), 403],
    ['another user', () => sessionOf('user'), uuidv7(), 404],
    ['an admin with an invalid id', () => sessionOf('admin'), 'me', 404],
  ])('S5 from %s is refused before its picture is read', async (...[, headersOf, id, status]) => {
    const { response, sentBytes } = await sendEndless(`PUT /users/${id}`, await headersOf());
    expect(response.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(sentBytes).toBeLessThan(BUFFERED);
    expect(bff.upstream.requests).toEqual([]);
  });
});

describe('an edit', () => {
  const id = uuidv7();
  const edit = (fields: object, ...files: Buffer[]): Promise<RawResponse> =>
    bff.call('updateUser', { as: 'user', userId: id, id, body: userForm({ ...ana, ...fields }, ...files) });

  it('removes the picture when it says so', async () => {
    expect((await edit({ removePicture: true })).status).toBe(200);
    expect(changeAtProfile()).toMatchObject({ picture: null });
    expect(changeAtProfile()).not.toHaveProperty('removePicture');
  });

  it.each([{}, { removePicture: false }])('keeps the picture with %j', async (fields) => {
    expect((await edit(fields)).status).toBe(200);
    expect(changeAtProfile()).not.toHaveProperty('picture');
  });

  it('with a new picture replaces the old one, whatever else it says', async () => {
    await edit({ removePicture: true }, filePart(Buffer.from('pixels')));
    expect(changeAtProfile()).toMatchObject({ picture: STORED });
  });

  it('refuses anything but true and false', async () => {
    expect((await edit({ removePicture: 'yes' })).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  });
});

it.each([
  ['signup', newAccount()],
  ['updateUser', ana],
] as const)(
  'D2 the role type in %s is accepted from an admin and refused from a user',
  async (name, fields) => {
    const id = uuidv7();
    const body = { ...fields, roleType: 'Single Role' };
    expect((await bff.call(name, { as: 'user', userId: id, id, body })).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
    expect((await bff.call(name, { as: 'admin', id, body })).status).toBeLessThan(300);
    expect(bff.upstream.requests[0]?.json).toMatchObject({ firstName: 'Ana', roleType: 'Single Role' });
  },
);

describe('forms with pictures', () => {
  const HELD = 7;
  const picture = filePart(Buffer.alloc(PICTURE_MAX_BYTES, 7));
  const signUpWithPicture = () => signUp(userForm(newAccount(), picture));
  const isRefused = async (): Promise<boolean> => (await signUpWithPicture()).status === 503;

  it.each<[string, Record<string, string | number>]>([
    ['with its size', { 'content-length': PICTURE_MAX_BYTES }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('E3 are held up to a limit, sent %s', async (_, header) => {
    const sockets = Array.from({ length: HELD }, () => openSignUp(header));
    await until('a limit that is reached', isRefused);
    const refused = await signUpWithPicture();
    expect([refused.headers['retry-after'], refused.code]).toEqual(['2', 'profile.pictures_busy']);
    await expectSignUp();

    for (const socket of sockets) socket.destroy();
    await until('room for a picture', async () => !(await isRefused()));
  });

  it('E3 no longer count when they were answered', async () => {
    for (let index = 0; index < HELD + 3; index += 1) expect((await signUpWithPicture()).status).toBe(201);
  });
});

/** Fields that a user must not set. */
const PROTECTED_FIELDS: Record<string, unknown> = {
  plan: 'premium',
  role: 'admin',
  composed: 0,
  current_period_end: '2999-01-01T00:00:00.000Z',
  current_period_start: '2020-01-01T00:00:00.000Z',
  last_credit_reset: '2020-01-01T00:00:00.000Z',
  stripe_customer_id: 'cus_other',
  subscription: { isPremium: true },
  id: uuidv7(),
  user_id: uuidv7(),
  createdAt: '2001-01-01T00:00:00.000Z',
  picture: `${'f'.repeat(32)}.jpg`,
  passwordHash: '$argon2id$v=19$mine',
  password_hash: '$argon2id$v=19$mine',
  planState: { version: 99 },
  premiumUntil: '2999-01-01T00:00:00.000Z',
};

describe('D2 a protected field', () => {
  /** The names of the refused fields, after an error that reached no service. */
  const refusedFields = async (name: 'signup' | 'updateUser', input: Input): Promise<string[]> => {
    const id = uuidv7();
    const session = name === 'updateUser' ? { as: 'user' as const, userId: id } : {};
    const { status, json } = await bff.call(name, { id, ...session, ...input });
    expect([status, bff.upstream.requests]).toEqual([400, []]);
    return Object.keys((json as { error: { fields?: object } }).error.fields ?? {}).toSorted();
  };

  it.each(Object.entries(PROTECTED_FIELDS))('D2 %s is refused by name', async (field, value) => {
    for (const [name, valid] of [
      ['signup', newAccount()],
      ['updateUser', ana],
    ] as const)
      expect(await refusedFields(name, { body: { ...valid, [field]: value } })).toEqual([field]);
  });

  it('D2 beside the fields of a sign-up or an edit is refused by name, and so is another email', async () => {
    const body = userForm(newAccount(), field('plan', 'premium'), field('role', 'admin'));
    expect(await refusedFields('signup', { body })).toEqual(['plan', 'role']);
    const edit = (input: Input) => refusedFields('updateUser', { body: ana, ...input });
    expect(await edit({ body: { ...ana, email: 'other@talent.test' } })).toEqual(['email']);
    expect(await edit({ query: '?role=admin' })).toEqual(['role']);
    expect(await edit({ body: userForm(ana, field('id', uuidv7())) })).toEqual(['id']);
  });
});
