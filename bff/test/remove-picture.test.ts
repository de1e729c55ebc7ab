import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { ana, field, filePart, form, MULTIPART } from './multipart.ts';
import { type RawResponse, respondWith, send, useBff } from './support.ts';

const STORED = `${'0'.repeat(32)}.jpg`;
const ID = uuidv7();

const bff = await useBff();
beforeEach(() => {
  bff.upstream.respond = respondWith(({ url }) =>
    url === '/pictures'
      ? { name: STORED }
      : { data: { id: ID, email: 'a@b.co', ...ana }, planState: { version: 1 }, outlook: null },
  );
});

const edit = async (userData: object, ...files: Buffer[]): Promise<RawResponse> => {
  const { token } = await bff.sessions.begin(ID, 'user');
  return send(bff.port, `/users/${ID}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': MULTIPART },
    body: form(field('userData', JSON.stringify({ ...ana, ...userData })), ...files),
  });
};

const changeAtProfile = (): unknown => {
  const request = bff.upstream.requests.find(({ method }) => method === 'PUT');
  return request && JSON.parse(request.body.toString());
};

describe('an edit', () => {
  it('removes the picture when it says so', async () => {
    expect((await edit({ removePicture: true })).status).toBe(200);
    expect(changeAtProfile()).toMatchObject({ picture: null });
    expect(changeAtProfile()).not.toHaveProperty('removePicture');
  });

  it.each([{}, { removePicture: false }])('keeps the picture with %j', async (input) => {
    expect((await edit(input)).status).toBe(200);
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
