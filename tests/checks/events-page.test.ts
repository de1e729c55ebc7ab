import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/events.md');
const SCRIPT = join(ROOT, 'services/contracts/scripts/write-events.ts');

it('docs/events.md is what the catalogue says, and names every fact', () => {
  execFileSync(process.execPath, [SCRIPT, '--check']);
  const page = readFileSync(PAGE, 'utf8');
  for (const { event } of eventCatalogue) expect(page).toContain(`| \`${event.type}\` | ${event.emitter} |`);
});

it('a page that was edited by hand is found stale', () => {
  const page = readFileSync(PAGE, 'utf8');
  try {
    writeFileSync(PAGE, `${page}more\n`);
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('stale');
  } finally {
    writeFileSync(PAGE, page);
  }
});
