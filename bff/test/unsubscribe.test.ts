import { UNSUBSCRIBE_PATH } from '@shortlist/contracts/api/email';
import { beforeEach, describe, expect, it } from 'vitest';
import { refuseWith, respondWith, useBff } from './support.ts';

const bff = await useBff();
const TOKEN = 'credits.0198a0b0-0000-7000-8000-00000000000b.signature';

beforeEach(() => {
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({}));
});

/** As a mail program of another site sends it, without cookies. */
const oneClick = (query = `?token=${TOKEN}`) =>
  fetch(`${bff.url}${UNSUBSCRIBE_PATH}${query}`, {
    method: 'POST',
    headers: { origin: 'https://mail.example.com', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });

describe('the link by which emails are turned off', () => {
  it('works with the one click of a mail program, which has neither a session nor cookies', async () => {
    const { status } = await oneClick();
    expect(status).toBe(200);
    expect(bff.upstream.requests).toMatchObject([
      { method: 'POST', url: '/unsubscribe', json: { token: TOKEN } },
    ]);
  });

  it('only shows a page when it is opened', async () => {
    const response = await fetch(`${bff.url}${UNSUBSCRIBE_PATH}?token=${TOKEN}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('that is refused says what else turns them off', async () => {
    bff.upstream.respond = refuseWith('worker.unsubscribe_refused');
    const response = await oneClick();
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('under Credits & Usage in your account');
  });

  it('is incomplete without its token', async () => {
    const response = await oneClick('');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This link is incomplete');
    expect(bff.upstream.requests).toEqual([]);
  });
});
