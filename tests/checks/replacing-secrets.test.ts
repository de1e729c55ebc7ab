import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const page = read('docs/replacing-secrets.md');
const processes = parse(read('deploy/k8s/processes.yaml')) as Record<string, { secrets: string[] }>;
const templates = globSync('deploy/k8s/templates/*.{yaml,tpl}', { cwd: ROOT }).map(read).join('\n');

/** The keys of Secrets that templates name one by one. */
const named = [...templates.matchAll(/"keys" \(list ([^)]*)\)/g)].flatMap(
  ([, list = '']) => list.match(/[A-Z][A-Z_]+/g) ?? [],
);
/** What .env.example calls by the name of a secret, or an address that contains a password. */
const inExample = [
  ...read('.env.example').matchAll(/^([A-Z_]*(?:KEYS?|SECRETS?|PASSWORD|HEADERS|(?:REDIS|DATABASE)_URL))=/gm),
].map(([, name = '']) => name);
/** The first admin's address, and the account to which a migration grants rights. */
const NO_SECRETS = new Set(['ADMIN_EMAIL', 'RUNTIME_ACCOUNT']);
const secrets = new Set(
  [...Object.values(processes).flatMap((workload) => workload.secrets), ...named, ...inExample].filter(
    (name) => !NO_SECRETS.has(name),
  ),
);

it('docs/replacing-secrets.md says of each secret how it is replaced', () => {
  expect(secrets.size).toBeGreaterThan(25);
  expect([...secrets].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
