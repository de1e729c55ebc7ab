import { describe, expect, it } from 'vitest';
import { logoProblem, redirectProblem } from './tool.rules.ts';

describe('a redirect URI of an app', () => {
  it.each([
    'https://tools.test/callback?x=1',
    'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8400/callback',
    'http://[::1]/callback',
  ])('may be %s', (address) => {
    expect(redirectProblem(address)).toBeNull();
  });

  it.each([
    'tools.test',
    'http://tools.test/',
    'http://localhost/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://tools.test/#token',
    'https://tools.test/#',
    'https://*.tools.test/',
    'https://user:secret@tools.test/',
    'myapp://callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('is not %s', (address) => {
    expect(redirectProblem(address)).not.toBeNull();
  });
});

describe('the logo of an app', () => {
  const png = (bytes: number): Buffer =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(bytes - 8)]);

  it('is a small PNG', () => {
    expect(logoProblem(png(24 * 1024))).toBeNull();
    expect(logoProblem(png(24 * 1024 + 1))).toContain('more than 24576 bytes');
    expect(logoProblem(Buffer.from('<svg onload="alert(1)"/>'))).toBe('is no PNG');
  });
});
