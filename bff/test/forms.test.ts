import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ana,
  field,
  filePart,
  form,
  type Input,
  MULTIPART,
  newEmail,
  type RawResponse,
  sendAndDisconnect,
  sendEndlessForm,
  userForm,
} from './requests.ts';
import { respondWith, useBff } from './support.ts';

const STORED = `${'0'.repeat(32)}.jpg`;
const MEGABYTE = 1024 * 1024;
const TOO_LARGE = 'File size exceeds 5MB. Please select a smaller file.';
const PASSWORD = 'open sesame';

const bff = await useBff();
beforeEach(() => {
  const account = { id: uuidv7(), email: 'a@b.co', ...ana };
  bff.upstream.respond = respondWith(
    ({ url }) => (url === '/pictures' ? { name: STORED } : { data: account, planState: { version: 1 } }),
    201,
  );
});

const newAccount = () => ({ ...ana, email: newEmail(), password: PASSWORD });
const signUp = (body: object, type = MULTIPART): Promise<RawResponse> =>
  bff.call('signup', { body, headers: { 'content-type': type } });
const account = field('userData', JSON.stringify(newAccount()));
const pictureRequests = () => bff.upstream.requestsTo('/pictures');
const canSignUp = async (): Promise<boolean> => (await signUp(newAccount())).status === 201;
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
  it('E1 of exactly five megabytes is forwarded unchanged', async () => {
    const bytes = Buffer.alloc(PICTURE_MAX_BYTES, 7);
    const response = await signUp(form(account, filePart(bytes)));
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({ data: { picture: STORED } });
    expect(pictureRequests()[0]?.body.equals(bytes)).toBe(true);
  });

  it.each(['image/jpg', 'image/svg+xml', 'application/octet-stream', ''])(
    'E3 that is declared as %j reaches profile, which decides by its content',
    async (type) => {
      const bytes = Buffer.from('pixels');
      const response = await signUp(form(account, filePart(bytes, { type })));
      expect(response.status).toBe(201);
      expect(pictureRequests()[0]?.body.equals(bytes)).toBe(true);
    },
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
      const bytes = Buffer.from('pixels');
      const response = await signUp(form(account, filePart(bytes, { name })));
      expect(response.status).toBe(201);
      const [request, ...otherRequests] = pictureRequests();
      expect(otherRequests).toEqual([]);
      expect(request?.body.equals(bytes)).toBe(true);
      expect(response.json).toMatchObject({ data: { picture: STORED } });
      const sentUpstream = bff.upstream.requests.map(
        ({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${String(body)}`,
      );
      expect(
        sentUpstream.some((text) => text.includes(name) || text.includes(encodeURIComponent(name))),
      ).toBe(false);
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

  it.each([
    ['with a Content-Length', [`Content-Length: ${60 * MEGABYTE}`], 1 * MEGABYTE],
    ['without a Content-Length', [], PICTURE_MAX_BYTES + MEGABYTE],
  ])('E2 %s is not read to its end', async (_, headers, readable) => {
    const maxBytes = 60 * MEGABYTE;
    const { response, sentBytes } = await sendEndlessForm(bff.port, {
      target: '/signup',
      method: 'POST',
      headers,
      maxBytes,
    });
    expect(response).toMatch(/^HTTP\/1\.1 413/);
    expect(response).toContain(TOO_LARGE);
    // The difference is data in the socket buffers, which the server has not read.
    expect(sentBytes).toBeLessThan(readable + 16 * MEGABYTE);
    expect(bff.upstream.requests).toEqual([]);
    // The part that has been stored goes when the connection has ended, after the response.
    await until('an empty folder', async () => (await listStored()).length === 0);
    expect(await canSignUp()).toBe(true);
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
    const socket = connect(bff.port, '127.0.0.1');
    const head = `POST /signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${MULTIPART}\r\nContent-Length: 2000000\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), account, picture.subarray(0, 70_000)]));
    await until('the picture', async () => !(await isEmpty()));
    socket.destroy();
    await until('an empty folder', isEmpty);
    expect(bff.upstream.requests).toEqual([]);
  });
});

describe('an invalid form', () => {
  it.each<[string, string, Buffer]>([
    ['no boundary', 'multipart/form-data', Buffer.from('x')],
    ['another boundary than it names', 'multipart/form-data; boundary=c', form(account)],
    ['a missing end', MULTIPART, account.subarray(0, -8)],
    ['an empty field name', MULTIPART, form(field('', 'x'))],
    ['a field name of 4 kB', MULTIPART, form(field('n'.repeat(4_096), 'x'), account)],
    ['10,000 parts', MULTIPART, form(account, ...Array.from({ length: 10_000 }, () => field('a', 'x')))],
    [
      '10,000 headers in a part',
      MULTIPART,
      Buffer.from(`--b\r\n${'X-A: b\r\n'.repeat(10_000)}\r\nx\r\n--b--\r\n`),
    ],
    ['two files', MULTIPART, form(account, filePart(Buffer.from('x')), filePart(Buffer.from('x')))],
    [
      'a file under another name',
      MULTIPART,
      form(account, Buffer.from(String(filePart(Buffer.from('x'))).replace('name="file"', 'name="avatar"'))),
    ],
    [
      'a form inside the form',
      MULTIPART,
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="userData"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Disposition: file; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--c--\r\n--b--\r\n`,
      ),
    ],
    ['no userData', MULTIPART, form(field('other', '{}'))],
    ['truncated userData', MULTIPART, form(field('userData', '{"a'))],
    ['userData twice', MULTIPART, form(account, account)],
    ['userData that is a list', MULTIPART, form(field('userData', '[1]'))],
    ['userData of 40 kB', MULTIPART, form(field('userData', `"${'a'.repeat(40_000)}"`))],
    ['userData under the prototype', MULTIPART, form(field('__proto__[userData]', '{}'))],
  ])('E5 with %s returns 400, and the next form is accepted', async (_, type, body) => {
    expect((await signUp(body, type)).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
    expect(await canSignUp()).toBe(true);
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
    const fragments = [
      Buffer.alloc(0),
      account,
      Buffer.concat([account, filePart(Buffer.alloc(9_000))]).subarray(0, -3),
    ];
    for (let round = 0; round < 30; round += 1)
      await sendAndDisconnect(bff.port, '/signup', fragments[round % fragments.length] ?? Buffer.alloc(0));
    expect(bff.upstream.requests).toEqual([]);
    expect(await canSignUp()).toBe(true);
  });
});

describe('an unauthorised edit', () => {
  const authorizationOf = async (role: 'user' | 'admin') => `Authorization: Bearer ${await bff.begin(role)}`;

  it.each<[string, () => Promise<string[]>, string, number]>([
    ['an anonymous client', () => Promise.resolve([]), uuidv7(), 401],
    ['an ended session', () => Promise.resolve([`Authorization: Bearer ${'a'.repeat(43)}`]), uuidv7(), 401],
    [
      'another page’s script',
      async () => [await authorizationOf('admin'), 'Origin: https://evil.test'],
      uuidv7(),
      403,
    ],
    ['another user', async () => [await authorizationOf('user')], uuidv7(), 404],
    ['an admin with an invalid id', async () => [await authorizationOf('admin')], 'me', 404],
  ])('S5 from %s is refused before its picture is read', async (...[, headersOf, id, status]) => {
    const headers = await headersOf();
    const maxBytes = 60 * MEGABYTE;
    const { response, sentBytes } = await sendEndlessForm(bff.port, {
      target: `/users/${id}`,
      method: 'PUT',
      headers,
      maxBytes,
    });
    expect(response.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(sentBytes).toBeLessThan(16 * MEGABYTE);
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
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  /** Begins a form that does not end. */
  const holdForm = (header: string): void => {
    const socket = connect(bff.port, '127.0.0.1');
    socket.on('error', () => undefined); // expected: it is refused, or ended by the test
    const lines = ['POST /signup HTTP/1.1', 'Host: localhost', `Content-Type: ${MULTIPART}`, header];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    sockets.push(socket);
  };
  const picture = filePart(Buffer.alloc(PICTURE_MAX_BYTES, 7));
  const signUpWithPicture = () => signUp(userForm(newAccount(), picture));
  const isRefused = async (): Promise<boolean> => (await signUpWithPicture()).status === 503;

  it.each([
    ['with its size', `Content-Length: ${PICTURE_MAX_BYTES}`],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('E3 are held up to a limit, sent %s', async (_, header) => {
    for (let index = 0; index < HELD; index += 1) holdForm(header);
    await until('a limit that is reached', isRefused);
    const refused = await signUpWithPicture();
    expect([refused.headers['retry-after'], refused.code]).toEqual(['2', 'profile.pictures_busy']);
    expect(await canSignUp()).toBe(true);

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
