import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { openApp } from './render-app.tsx';

const MAILS = join(import.meta.dirname, '../../services/worker/src/mail');

/** The paths of all links with a token, from the templates themselves. */
const PATHS = [
  ...new Set(
    readdirSync(MAILS)
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => readFileSync(join(MAILS, name), 'utf8').match(/\/[a-z/-]+(?=#token=)/g) ?? []),
  ),
];

test('every template with a token in a link is among the pages that are tried', () => {
  expect(PATHS.toSorted()).toEqual([
    '/admin/accept-invitation',
    '/confirm-email',
    '/reset-password',
    '/undo-email-change',
    '/verify-email',
  ]);
});

/** What a page may ask when it is opened: these change nothing, however often they are asked. */
const NO_ACCESS = { apiKeys: [], connections: [], webhooks: [] };
const READS = ['checkReset', 'checkEmailUndo', 'checkInvitation'] as const;

test.each(PATHS)('A12 the page %s, opened by a program that runs scripts, changes nothing', async (path) => {
  const server = fakeServer({
    checkReset: () => ({ data: { email: 'ana@talent.test', isAdmin: false } }),
    checkEmailUndo: () => ({
      data: { email: 'ana@talent.test', isConfirmed: true, access: NO_ACCESS, deletion: false },
    }),
    checkInvitation: () => ({ data: { email: 'ana@talent.test', role: 'support' } }),
  });
  openApp(`${path}#token=${'A'.repeat(43)}`);
  // The page waits for a person.
  expect((await screen.findAllByRole('button')).length).toBeGreaterThan(0);
  const changes = (Object.keys(publicEndpoints) as (keyof typeof publicEndpoints)[]).filter(
    (name) => publicEndpoints[name].method !== 'GET' && !READS.some((read) => read === name),
  );
  for (const name of changes) expect([name, server.requestsTo(name)]).toEqual([name, []]);
});
