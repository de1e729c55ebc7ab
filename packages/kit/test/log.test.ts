import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '../src/data/db.ts';
import { createLog } from '../src/process/log.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';

const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox] });
afterAll(drop);

const captureLog = () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog('test', 'info', { version: '1.2.3', destination }) };
};

it('each line has the version of the running code', () => {
  const { lines, log } = captureLog();
  log.info('said');
  expect(JSON.parse(lines.join())).toMatchObject({ name: 'test', version: '1.2.3', msg: 'said' });
});

it('fields named like a secret are not logged', () => {
  const { lines, log } = captureLog();
  log.info({ password: 'horse-battery', body: { token: 'token-of-ann' } }, 'said');
  expect(lines.join()).toContain('said');
  expect(lines.join()).not.toMatch(/horse-battery|token-of-ann/);
});

it('anything that looks like a key is removed from a logged path', () => {
  const { lines, log } = captureLog();
  log.info({ path: '/api/v1/me/sl_live_AbC-1_23xyz/slt_0123456789' }, 'request');
  expect(lines.join()).toContain('/api/v1/me/[key]/[key]');
  expect(lines.join()).not.toMatch(/AbC|0123/);
});

const failing = 'UPDATE no_such_table SET password_hash = ?';

it.each([
  ['outside a transaction', () => db.query(failing, ['hash-of-ann'])],
  ['in a transaction', () => inTransaction(db, (tx) => tx.query(failing, ['hash-of-ann']))],
])('the database’s message about a statement %s is logged, without its values', async (_where, fail) => {
  const { lines, log } = captureLog();
  await fail().catch((error: unknown) => {
    log.error({ err: error }, 'failed');
  });
  expect(lines.join()).toContain('no_such_table');
  expect(lines.join()).not.toContain('hash-of-ann');
});
