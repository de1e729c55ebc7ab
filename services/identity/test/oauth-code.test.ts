import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolRow } from '../src/tools/queries.ts';
import { ISSUER, type OpenedOauth, openOauth } from './open-oauth.ts';

let opened: OpenedOauth;
let tool: ToolRow;
let userId = '';
beforeAll(async () => {
  opened = await openOauth();
  tool = await opened.addTool();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

describe('the code grant', () => {
  it('connects a tool once its user has approved it', async () => {
    const begun = await opened.begin(tool);
    expect(begun.reply.status).toBe(303);
    expect(begun.reply.headers.get('location')).toBe(`/connect?request=${begun.uid}`);
    expect(begun.requestCookie).toBe(begun.uid);
    const { returnTo } = await opened.approve(userId, { source: 'browser', request: begun.uid });
    const answer = await begun.resume(returnTo);
    expect(answer.get('state')).toBe('a state');
    expect(answer.get('iss')).toBe(ISSUER);
    const tokens = await opened.redeem(tool, {
      code: answer.get('code') ?? '',
      code_verifier: begun.verifier,
    });
    expect(tokens.body).toEqual({
      access_token: expect.stringMatching(/^slt_[\w-]{59}$/) as string,
      refresh_token: expect.any(String) as string,
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'credits:read credits:charge',
    });
    const owner = await opened.ownerOfToken(tokens.body['access_token'] ?? '');
    const [connection] = await opened.connections(userId);
    expect(owner).toMatchObject({ id: connection?.id, userId, toolId: tool.id });
  });
});
