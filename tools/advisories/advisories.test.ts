import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const VULNERABLE = {
  auditReportVersion: 2,
  vulnerabilities: {
    tar: {
      ...{ name: 'tar', severity: 'high', isDirect: false, range: '<7.5.3', effects: ['packer'] },
      via: [{ source: 1, title: 'Path traversal', url: 'https://advisories.test/1', severity: 'high' }],
    },
    packer: { name: 'packer', severity: 'high', isDirect: true, via: ['tar'], range: '*', effects: [] },
  },
  metadata: { vulnerabilities: { high: 2, total: 2 } },
};
const CLEAN = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
const REFUSED = {
  message: '405 Method Not Allowed - POST https://registry.test/-/npm/v1/security/advisories/bulk',
  statusCode: 405,
  error: { summary: '', detail: '' },
};
const UNREACHABLE = { error: { code: 'ENOTFOUND', summary: 'request to the registry failed', detail: '' } };
const OSV = {
  results: [
    {
      packages: [
        {
          package: { name: 'tar', version: '7.5.0', ecosystem: 'npm' },
          vulnerabilities: [
            { id: 'GHSA-1', summary: 'Path traversal', database_specific: { severity: 'HIGH' } },
          ],
        },
      ],
    },
  ],
};

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'advisories-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A program of this name that prints a report and ends as the real one does. */
const install = (name: string, output: unknown, code: number): void => {
  const path = join(folder, name);
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  writeFileSync(`${path}.out`, text);
  writeFileSync(path, `#!/bin/sh\n/bin/cat "${path}.out"\nexit ${code}\n`);
  chmodSync(path, 0o755);
};
const run = (): { code: number | null; lines: string[] } => {
  const program = join(import.meta.dirname, 'main.ts');
  const env = { ...process.env, PATH: folder };
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', env });
  return { code: status, lines: stdout.trim().split('\n') };
};

describe('make advisories', () => {
  it('names each package that an advisory is about, and not those that depend on it', () => {
    install('npm', VULNERABLE, 1);
    expect(run()).toEqual({
      code: 1,
      lines: [
        'high      tar: Path traversal https://advisories.test/1',
        '1 package has advisories (npm audit)',
      ],
    });
  });

  it('says that there are none', () => {
    install('npm', CLEAN, 0);
    expect(run()).toEqual({ code: 0, lines: ['no advisories (npm audit)'] });
  });

  it.each([
    ['refuses', REFUSED, '405 Method Not Allowed'],
    ['is not reachable', UNREACHABLE, 'request to the registry failed'],
    ['ends without a report', 'npm error', 'it printed no report'],
    ['prints something else', '[]', 'it printed no report'],
  ])('says that nothing was checked, and why, when npm %s', (_what, output, why) => {
    install('npm', output, 1);
    const { code, lines } = run();
    expect(code).toBe(3);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^not checked: npm audit: /);
    expect(lines[0]).toContain(why);
    expect(lines[0]).toContain('osv-scanner, offline: it is not installed');
  });

  it('says that nothing was checked without npm', () => {
    expect(run()).toEqual({
      code: 3,
      lines: ['not checked: npm audit: npm could not be run; osv-scanner, offline: it is not installed'],
    });
  });

  it('reads a database of this machine where the registry refuses', () => {
    install('npm', REFUSED, 1);
    install('osv-scanner', OSV, 1);
    expect(run()).toEqual({
      code: 1,
      lines: [
        'high      tar@7.5.0: GHSA-1 Path traversal',
        '1 package has advisories (osv-scanner, offline)',
      ],
    });
    install('osv-scanner', { results: [] }, 0);
    expect(run()).toEqual({ code: 0, lines: ['no advisories (osv-scanner, offline)'] });
    install('osv-scanner', 'could not load the database', 127);
    expect(run()).toMatchObject({ code: 3 });
  });
});
