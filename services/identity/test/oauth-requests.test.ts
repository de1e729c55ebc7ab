// The stored requests of apps, which can be made without an account.
import { days, minutes } from '@shortlist/contracts/durations';
import { hashOfToken } from '@shortlist/kit/http/access-token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPIRED_ARTIFACTS } from '../src/oauth/queries.ts';
import type { ToolRow } from '../src/tools/queries.ts';
import { ISSUER, type OpenedOauth, openOauth } from './open-oauth.ts';

let opened: OpenedOauth;
let tool: ToolRow;
let userId = '';
beforeAll(async () => {
  opened = await openOauth();
  tool = await opened.addTool();
  userId = await opened.addUser();
});
afterAll(() => opened.close());

describe('a request of an app', () => {
  it('is stored with only what it needs, in less than 4 KB, without personal data', async () => {
    await opened.db.query('DELETE FROM oauth_artifacts');
    const begun = await opened.begin(tool, {
      state: 's'.repeat(512),
      login_hint: 'stranger@people.test',
      ui_locales: 'pt-PT '.repeat(200),
    });
    expect(begun.reply.headers.get('location')).toBe(`/connect?request=${begun.uid}`);
    const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM oauth_artifacts');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.payload.length).toBeLessThan(4_096);
    expect(rows[0]?.payload).not.toMatch(/stranger|pt-PT/);
    const { returnTo } = await opened.approve(userId, { source: 'browser', request: begun.uid });
    const answer = await begun.resume(returnTo);
    expect([answer.get('state'), answer.has('code')]).toEqual(['s'.repeat(512), true]);
  });

  it('is refused with a state beyond 512 characters, or any response mode except the query', async () => {
    const long = await opened.begin(tool, { state: 's'.repeat(513) });
    const location = new URL(long.reply.headers.get('location') ?? '', ISSUER);
    expect(location.searchParams.get('error')).toBe('invalid_request');
    for (const mode of ['fragment', 'form_post']) {
      const { reply } = await opened.begin(tool, { response_mode: mode });
      expect([reply.status, reply.headers.get('location')]).toEqual([
        303,
        '/connect?problem=invalid_request',
      ]);
    }
    const { reply } = await opened.begin(tool, { response_mode: 'jwt' });
    expect(reply.headers.get('location')).toMatch(/\?error=unsupported_response_mode&/);
    expect((await opened.begin(tool, { response_mode: 'query' })).uid).not.toBe('');
  });

  it('is deleted once it expires undecided', async () => {
    const { uid } = await opened.begin(tool);
    const row = () =>
      opened.db.query<unknown[]>('SELECT 1 FROM oauth_artifacts WHERE id_hash = ?', [hashOfToken(uid)]);
    expect(await row()).toHaveLength(1);
    for (const { days: kept, remove } of EXPIRED_ARTIFACTS) {
      const before = new Date(opened.clock().getTime() + minutes(11) - days(kept));
      await opened.db.query(remove, [before, 1_000]);
    }
    expect(await row()).toHaveLength(0);
  });
});
