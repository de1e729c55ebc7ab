import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/events.md');
const SCRIPT = join(ROOT, 'services/contracts/scripts/write-events.ts');

const runScript = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });

describe('the event page', () => {
  let directory: string;
  let copy: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'shortlist-events-'));
    copy = join(directory, 'events.md');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('docs/events.md matches the catalogue and lists every event', () => {
    expect(runScript('--check').status).toBe(0);
    const page = readFileSync(PAGE, 'utf8');
    for (const { event } of eventCatalogue) expect(page).toContain(`\n- \`${event.type}\``);
  });

  it('is generated from the catalogue alone', () => {
    expect(runScript(copy).status).toBe(0);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(PAGE, 'utf8'));
  });

  it('is reported as stale when it was edited or is missing', () => {
    writeFileSync(copy, `${readFileSync(PAGE, 'utf8')}more\n`);
    const { status, stderr } = runScript('--check', copy);
    expect(status).toBe(1);
    expect(stderr).toContain('stale');
    expect(runScript('--check', join(directory, 'missing.md')).status).toBe(1);
  });
});
