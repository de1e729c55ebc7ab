import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { forbidden = [], options } = createRequire(import.meta.url)(
  join(ROOT, '.dependency-cruiser.cjs'),
) as IConfiguration;

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'shortlist-directions-'));
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(() => rm(tree, { recursive: true, force: true }));

const plant = async (from: string, imports: string): Promise<void> => {
  const file = join(tree, from);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, imports);
};

const violatedRules = async (files: string[]): Promise<string[]> => {
  const { output } = await cruise(files, {
    ...options,
    baseDir: tree,
    validate: true,
    ruleSet: { forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
};

/** Returns the rules that an import of `to` (a path in the tree, or a package) in `from` breaks. */
const brokenRules = async (from: string, to: string, { typeOnly = false } = {}): Promise<string[]> => {
  await rm(join(tree, 'planted'), { recursive: true, force: true });
  const isFile = /\.tsx?$/.test(to);
  const up = '../'.repeat(from.split('/').length - 1);
  await plant(
    from,
    `import ${typeOnly ? 'type ' : ''}{ x } from '${isFile ? up + to : to}'; export const y = x;`,
  );
  if (isFile) await plant(to, 'export const x = 1;');
  const rules = await violatedRules([from]);
  await rm(join(tree, from));
  return rules;
};

const kit = 'services/kit/src/a.ts';
const credits = 'services/credits/src/charges/charge-credit.ts';

it.each([
  ['contracts-import-two-packages', 'services/contracts/src/a.ts', 'express'],
  ['contracts-import-two-packages', 'services/contracts/src/a.ts', 'node:fs'],
  ['kit-stands-below', kit, 'services/credits/src/app.ts'],
  ['kit-stands-below', 'services/kit/src/testing/a.ts', 'deploy/local/src/backing.ts'],
  ['kit-stands-below', kit, 'services/audit/src/audit-log.ts'],
  ['kit-knows-no-product-word', kit, 'services/contracts/src/limits.ts'],
  ['services-stand-alone', credits, 'services/billing/src/db.ts'],
  ['services-stand-alone', credits, 'bff/src/app.ts'],
  ['services-stand-alone', credits, 'web/src/lib/money.ts'],
  ['services-stand-alone', credits, 'deploy/local/src/backing.ts'],
  ['bff-calls-by-http', 'bff/src/app.ts', 'services/identity/src/config.ts'],
  ['bff-calls-by-http', 'bff/src/app.ts', 'web/src/lib/money.ts'],
  ['web-knows-contracts-alone', 'web/src/lib/a.ts', 'services/kit/src/process/clock.ts'],
  ['web-knows-contracts-alone', 'web/src/lib/a.ts', 'bff/src/app.ts'],
  ['sandbox-stands-alone', 'deploy/sandbox/src/a.ts', 'services/billing/src/config.ts'],
  ['sandbox-takes-types-of-stripe', 'deploy/sandbox/src/a.ts', 'stripe'],
  ['local-imports-no-service', 'deploy/local/src/a.ts', 'services/billing/src/config.ts'],
  ['typeorm-in-its-place', credits, 'typeorm'],
  ['typeorm-in-its-place', 'bff/src/app.ts', 'mysql2'],
  ['brokers-in-kit', credits, 'kafkajs'],
  ['brokers-in-kit', 'bff/src/session/store.ts', 'ioredis'],
  ['brokers-in-kit', 'services/worker/src/app.ts', 'bullmq'],
  ['opentelemetry-behind-its-setting', kit, '@opentelemetry/api'],
  ['stripe-in-its-edge', 'services/billing/src/subscriptions/a.ts', 'stripe'],
  ['routes-by-app-alone', credits, 'services/credits/src/routes.ts'],
  [
    'actions-know-no-endpoints',
    'services/credits/src/charges/queries.ts',
    'services/credits/src/charges/present.ts',
  ],
  ['rules-are-pure', 'services/credits/src/a.rules.ts', 'services/credits/src/charges/queries.ts'],
  ['main-is-not-imported', credits, 'services/credits/src/main.ts'],
  ['source-never-imports-tests', credits, 'services/credits/test/support.ts'],
  ['source-never-imports-tests', credits, 'services/kit/src/testing/memory-bus.ts'],
  ['source-never-imports-tests', credits, 'tools/seed/users.ts'],
  ['features-stand-alone', 'web/src/features/billing/a.ts', 'web/src/features/credits/b.ts'],
  ['features-stand-alone', 'web/src/features/billing/a.ts', 'web/src/pages/home.tsx'],
  ['pages-below-app', 'web/src/pages/a.ts', 'web/src/app/store.ts'],
  ['lib-and-ui-at-the-bottom', 'web/src/ui/a.ts', 'web/src/features/billing/b.ts'],
  ['no-unresolvable', credits, '@shortlist/nowhere'],
])('%s: %s must not import %s', async (rule, from, to) => {
  expect(await brokenRules(from, to)).toContain(rule);
});

it('typeorm-in-its-place: a type-only import is refused', async () => {
  expect(await brokenRules(credits, 'typeorm', { typeOnly: true })).toContain('typeorm-in-its-place');
});

it('no-cycles: two files must not import each other', async () => {
  await plant('services/credits/src/one.ts', "import { two } from './two.ts'; export const one = () => two;");
  await plant('services/credits/src/two.ts', "import { one } from './one.ts'; export const two = () => one;");
  expect(await violatedRules(['services/credits/src/one.ts'])).toContain('no-cycles');
});

it.each(['services/credits/src', 'bff/src', 'web/src', 'deploy/sandbox/src'])(
  'folders-point-down: two folders of %s must not import each other, not even without a cycle of files',
  async (source) => {
    const [upper, lower] = [`${source}/planted-a`, `${source}/planted-b`];
    await plant(`${upper}/from.ts`, "import { x } from '../planted-b/to.ts'; export const a = x;");
    await plant(`${lower}/to.ts`, 'export const x = 1;');
    expect(await violatedRules([upper, lower])).toEqual([]);
    await plant(`${lower}/from.ts`, "import { x } from '../planted-a/to.ts'; export const b = x;");
    await plant(`${upper}/to.ts`, 'export const x = 1;');
    expect(await violatedRules([upper, lower])).toContain('folders-point-down');
  },
);

it.each([
  ['services/credits/src/charges/queries.ts', 'typeorm'],
  ['services/credits/src/db.ts', 'services/credits/src/migrations/0001-create-a.ts'],
  ['services/credits/src/app.ts', 'services/credits/src/routes.ts'],
  ['services/billing/src/stripe/gateway.ts', 'stripe'],
  ['services/kit/src/messaging/kafka.ts', 'kafkajs'],
  [credits, 'services/audit/src/audit-log.ts'],
  ['services/kit/src/http/router.ts', 'services/contracts/src/api/endpoint.ts'],
  ['services/credits/test/spend.test.ts', 'services/kit/src/testing/memory-bus.ts'],
  ['web/src/pages/home.tsx', 'web/src/features/billing/b.ts'],
])('%s may import %s', async (from, to) => {
  expect(await brokenRules(from, to)).toEqual([]);
});
