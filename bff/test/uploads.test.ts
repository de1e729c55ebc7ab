import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PICTURE_MAX_BYTES } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { ana, field, filePart, form, hangUp, MULTIPART, pour } from './multipart.ts';
import { answering, type Bff, type RawReply, type Seen, send, startBff } from './support.ts';

const STORED = `${'0'.repeat(32)}.jpg`;
const MEGABYTE = 1024 * 1024;
const TOO_LARGE = 'File size exceeds 5MB. Please select a smaller file.';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());
beforeEach(() => {
  bff.upstream.seen.length = 0;
  bff.upstream.reply = answering(
    ({ url }) => (url === '/pictures' ? { name: STORED } : { data: { id: uuidv7(), email: 'a@b.co' } }),
    201,
  );
});

const signUp = (body: Buffer, type = MULTIPART): Promise<RawReply> =>
  send(bff.port, '/signup', { method: 'POST', headers: { 'content-type': type }, body });
const personAt = (email: string): Buffer =>
  field('userData', JSON.stringify({ ...ana, email, password: 'secret1' }));
const person = personAt('ana@talent.test');
const pictureRequests = (): Seen[] => bff.upstream.seen.filter(({ url }) => url === '/pictures');
const lives = async (): Promise<boolean> =>
  (await signUp(form(personAt(`${uuidv7()}@talent.test`)))).status === 201;

describe('a picture that comes with a form', () => {
  it('E1 of five megabytes to the byte is handed on as it is', async () => {
    const bytes = Buffer.alloc(PICTURE_MAX_BYTES, 7);
    const reply = await signUp(form(person, filePart(bytes)));
    expect(reply.status).toBe(201);
    expect(JSON.parse(reply.body)).toMatchObject({ data: { picture: STORED } });
    expect(pictureRequests()[0]?.body.equals(bytes)).toBe(true);
  });

  it.each(['text/html', 'image/svg+xml', 'application/x-httpd-php', 'application/octet-stream', ''])(
    'E3 that calls itself %s is refused with the agreed words and goes nowhere',
    async (type) => {
      const reply = await signUp(form(person, filePart(Buffer.from('<svg/>'), { type })));
      expect(reply.status).toBe(400);
      expect(reply.body).toContain('Invalid file type. Only PNG, JPEG, and GIF are allowed.');
      expect(bff.upstream.seen).toEqual([]);
    },
  );

  it.each([
    ['../', '../../../etc/passwd'],
    ['a drive', 'C:\\windows\\system32\\a.png'],
    ['a zero byte in disguise', 'a.png%00.html'],
    ['4 kB', `${'n'.repeat(4_096)}.png`],
    ['a mark that turns text around', 'photo\u202egnp.exe'],
    ['slashes of other scripts', '\uff0e\uff0e\uff0f\u2215etc\u2044passwd'],
    ['a line end', 'a%0D%0AX-Role: admin.png'],
  ])('E4 a name with %s has no influence on the path, and is passed to nobody', async (_, name) => {
    const bytes = Buffer.from('pixels');
    const reply = await signUp(form(person, filePart(bytes, { name })));
    expect(reply.status).toBe(201);
    const [request, ...otherRequests] = pictureRequests();
    expect(otherRequests).toEqual([]);
    expect(request?.body.equals(bytes)).toBe(true);
    expect(JSON.parse(reply.body)).toMatchObject({ data: { picture: STORED } });
    const sentUpstream = bff.upstream.seen.map(
      ({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${String(body)}`,
    );
    expect(sentUpstream.some((text) => text.includes(name) || text.includes(encodeURIComponent(name)))).toBe(
      false,
    );
  });
});

describe('a picture that is too large', () => {
  let temporary: string;
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'uploads-'));
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  });

  it('E2 by one byte is refused with the agreed words, stored nowhere and passed to nobody', async () => {
    const reply = await signUp(form(person, filePart(Buffer.alloc(PICTURE_MAX_BYTES + 1))));
    expect(reply.status).toBe(413);
    expect(reply.body).toContain(TOO_LARGE);
    expect(bff.upstream.seen).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each([
    ['says so beforehand', [`Content-Length: ${60 * MEGABYTE}`], 1 * MEGABYTE],
    ['does not say how large it is', [], PICTURE_MAX_BYTES + MEGABYTE],
  ])('E2 and %s is not read to the end', async (_, headers, readable) => {
    const upTo = 60 * MEGABYTE;
    const { reply, taken } = await pour(bff.port, { target: '/signup', method: 'POST', headers, upTo });
    expect(reply).toMatch(/^HTTP\/1\.1 413/);
    expect(reply).toContain(TOO_LARGE);
    // What stands in the buffers of the line between us is not read by anybody.
    expect(taken).toBeLessThan(readable + 16 * MEGABYTE);
    expect(bff.upstream.seen).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
    expect(await lives()).toBe(true);
  });
});

describe('a form that cannot be read', () => {
  it.each<[string, string, Buffer]>([
    ['no boundary', 'multipart/form-data', Buffer.from('x')],
    ['another boundary than it names', 'multipart/form-data; boundary=c', form(person)],
    ['an end that never comes', MULTIPART, person.subarray(0, -8)],
    ['an empty field name', MULTIPART, form(field('', 'x'))],
    ['a field name of 4 kB', MULTIPART, form(field('n'.repeat(4_096), 'x'), person)],
    ['10,000 parts', MULTIPART, form(person, ...Array.from({ length: 10_000 }, () => field('a', 'x')))],
    [
      '10,000 headers in a part',
      MULTIPART,
      Buffer.from(`--b\r\n${'X-A: b\r\n'.repeat(10_000)}\r\nx\r\n--b--\r\n`),
    ],
    ['two files', MULTIPART, form(person, filePart(Buffer.from('x')), filePart(Buffer.from('x')))],
    [
      'a file under another name',
      MULTIPART,
      form(person, Buffer.from(String(filePart(Buffer.from('x'))).replace('name="file"', 'name="avatar"'))),
    ],
    [
      'a form inside the form',
      MULTIPART,
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="userData"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Disposition: file; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--c--\r\n--b--\r\n`,
      ),
    ],
    ['no userData', MULTIPART, form(field('other', '{}'))],
    ['userData that is cut off', MULTIPART, form(field('userData', '{"a'))],
    ['userData twice', MULTIPART, form(person, person)],
    ['userData that is a list', MULTIPART, form(field('userData', '[1]'))],
    ['userData of 40 kB', MULTIPART, form(field('userData', `"${'a'.repeat(40_000)}"`))],
    ['userData under the prototype', MULTIPART, form(field('__proto__[userData]', '{}'))],
  ])('E5 with %s is a 400, and the next one is read', async (_, type, body) => {
    expect((await signUp(body, type)).status).toBe(400);
    expect(bff.upstream.seen).toEqual([]);
    expect(await lives()).toBe(true);
  });

  it('E5 whose sender hangs up, again and again, harms nobody', async () => {
    const starts = [
      Buffer.alloc(0),
      person,
      Buffer.concat([person, filePart(Buffer.alloc(9_000))]).subarray(0, -3),
    ];
    for (let round = 0; round < 30; round += 1)
      await hangUp(bff.port, '/signup', starts[round % starts.length] ?? Buffer.alloc(0));
    expect(bff.upstream.seen).toEqual([]);
    expect(await lives()).toBe(true);
  });
});

describe('an edit by somebody who may not make it', () => {
  const begin = async (role: 'user' | 'admin'): Promise<string> =>
    `Authorization: Bearer ${(await bff.sessions.begin(uuidv7(), role)).token}`;

  it.each<[string, () => Promise<string[]>, string, number]>([
    ['a stranger', () => Promise.resolve([]), uuidv7(), 401],
    ['an ended session', () => Promise.resolve([`Authorization: Bearer ${'a'.repeat(43)}`]), uuidv7(), 401],
    ['another page’s script', async () => [await begin('admin'), 'Origin: https://evil.test'], uuidv7(), 403],
    ['another person', async () => [await begin('user')], uuidv7(), 404],
    ['an admin, of an id that is none', async () => [await begin('admin')], 'me', 404],
  ])('S5 from %s is refused before its picture is read', async (...[, headersOf, id, status]) => {
    const headers = await headersOf();
    const upTo = 60 * MEGABYTE;
    const { reply, taken } = await pour(bff.port, { target: `/users/${id}`, method: 'PUT', headers, upTo });
    expect(reply.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(taken).toBeLessThan(16 * MEGABYTE);
    expect(bff.upstream.seen).toEqual([]);
  });
});
