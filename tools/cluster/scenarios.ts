// What may happen to an installation, in the order of a run. Each scenario throws when the product falls short, and otherwise returns
// what was measured.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '@shortlist/kit/testing/sample';
import type { Installation } from '@shortlist/local/system';
import type { Breach } from '@shortlist/operator/audit/sources';
import { createHistory } from '../faults/history.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import { waitUntilSettled } from '../faults/settled.ts';
import { deploymentsOf, kubectl, NAMESPACE, RELEASE, rolledOut } from './commands.ts';
import { restartAll, testRelease, upgrade } from './install.ts';
import { applyMigrationSecrets, applySecrets, rotations } from './secrets.ts';
import type { Target } from './target.ts';
import { type Visits, visitWhile } from './visitors.ts';

export type Parts = {
  target: Target;
  product: Installation;
  /** How long pods are killed. */
  minutes: number;
  seed: number;
};
export type Scenario = { name: string; run: (parts: Parts) => Promise<string> };

const VISITORS = 4;
const SETTLE_MS = 180_000;
const DAY_MS = 86_400_000;

const withoutFailure = async (visits: Visits): Promise<string> => {
  const { requests, slowestMs, failures } = visits;
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${requests} requests failed\n${failures.slice(0, 10).join('\n')}`);
  const unpaid = await visits.unpaid();
  if (unpaid.length > 0) throw new Error(`paid and not premium: ${unpaid.join(', ')}`);
  return `${requests} requests, none failed, slowest ${(slowestMs / 1000).toFixed(1)} s`;
};

const visitDuring = async ({ product }: Parts, work: () => Promise<unknown>): Promise<string> =>
  withoutFailure(await visitWhile(product, VISITORS, work));

const lineOf = ({ invariant, detail }: Breach): string => `${invariant} ${detail}`;

const audited = async ({ product }: Parts, history = createHistory()): Promise<string> => {
  const { breaches, ms } = await waitUntilSettled(product, history, SETTLE_MS);
  if (breaches.length > 0)
    throw new Error(`${breaches.length} breaches\n${breaches.slice(0, 10).map(lineOf).join('\n')}`);
  return `every invariant held ${(ms / 1000).toFixed(0)} s later`;
};

export const INSTALLATION: Scenario = {
  name: 'installation, two pods of each migrating at once, and helm test',
  run: async ({ target }) => {
    const startedAt = performance.now();
    await upgrade(target, { tag: target.oldTag });
    const seconds = (performance.now() - startedAt) / 1000;
    await kubectl(['exec', 'deploy/shortlist-billing', '--', 'shortlist', 'stripe-check', '--apply']);
    await testRelease(NAMESPACE);
    return `ready after ${seconds.toFixed(0)} s`;
  },
};

const use: Scenario = {
  name: 'sign-ups, log-ins, payments and charges',
  run: async (parts) => {
    const visits = await visitDuring(parts, () => sleep(30_000));
    return `${visits}; ${await audited(parts)}`;
  },
};

const update: Scenario = {
  name: 'rolling update of every workload under load',
  run: (parts) => visitDuring(parts, () => upgrade(parts.target, { tag: parts.target.tag })),
};

const scale: Scenario = {
  name: 'three pods of each and back under load',
  run: (parts) => {
    const { target } = parts;
    const withReplicas = (replicas: number) =>
      // A third pod of each needs smaller pools than two do.
      upgrade(target, {
        tag: target.tag,
        set: [`workloads.default.replicas=${replicas}`, 'workloads.default.databasePool=4'],
      });
    return visitDuring(parts, async () => {
      await withReplicas(3);
      await withReplicas(2);
    });
  },
};

const rotate: Scenario = {
  name: 'keys of the service tokens replaced in three steps under load',
  run: (parts) =>
    visitDuring(parts, async () => {
      for (const secrets of rotations(parts.target.secrets, randomBytes(32).toString('hex'))) {
        await applySecrets({ secrets });
        await restartAll();
      }
    }),
};

/** The pods of the deployments; those of jobs come and go. */
const runningPods = async (): Promise<string[]> => {
  const selector = `app.kubernetes.io/instance=${RELEASE},!batch.kubernetes.io/job-name`;
  const names = await kubectl([
    ...['get', 'pods', '-l', selector, '--field-selector', 'status.phase=Running'],
    ...['-o', 'name', '--sort-by', '.metadata.name'],
  ]);
  return names.trim().split('\n');
};

const failMigration: Scenario = {
  name: 'a migration that fails leaves the old version serving',
  run: async (parts) => {
    const { target } = parts;
    const before = await runningPods();
    const visits = await visitDuring(parts, async () => {
      await applyMigrationSecrets(target, 'billing');
      const set = ['migrations.enabled=true', 'migrations.deadlineSeconds=60'];
      const failed = await upgrade(target, { tag: target.oldTag, set, seconds: 180 }).then(
        () => false,
        () => true,
      );
      if (!failed) throw new Error('the upgrade succeeded');
    });
    const added = (await runningPods()).filter((name) => !before.includes(name));
    if (added.length > 0) throw new Error(`pods were replaced by ${added.join(', ')}`);
    await applyMigrationSecrets(target, null);
    await upgrade(target, { tag: target.tag, set: ['migrations.enabled=true'] });
    return `${visits}; the next upgrade migrates`;
  },
};

/** Kills a pod of the product at random, at once, every few seconds. */
const killPods = async (random: () => number, endsAt: number): Promise<number> => {
  let killed = 0;
  while (Date.now() < endsAt) {
    const pods = (await kubectl(['get', 'pods', '-l', `app.kubernetes.io/instance=${RELEASE}`, '-o', 'name']))
      .trim()
      .split('\n');
    const pod = pods[Math.floor(random() * pods.length)] ?? '';
    await kubectl(['delete', pod, '--grace-period=0', '--force', '--wait=false']);
    killed += 1;
    await sleep(3_000 + random() * 6_000);
  }
  return killed;
};

const kill: Scenario = {
  name: 'killed pods under load',
  run: async (parts) => {
    const { product, minutes, seed } = parts;
    const [history, random] = [createHistory(), randomFrom(seed)];
    let killed = 0;
    await simulateWhile({ system: product, history, random }, VISITORS, async () => {
      killed = await killPods(random, Date.now() + minutes * 60_000);
    });
    for (const name of await deploymentsOf('product')) await rolledOut(name);
    const operations = history.all();
    const acked = operations.filter(({ outcome }) => outcome === 'acked').length;
    return `${killed} pods killed in ${minutes} min, ${operations.length} operations, ${acked} acked; ${await audited(parts, history)}`;
  },
};

/** Deletes the pod of a backing service, while it is used, and waits for the next one and for a product that works again. */
const recreate = (name: string, repair?: () => Promise<void>): Scenario => ({
  name: `${name} recreated under load`,
  run: async (parts) => {
    const { product, seed } = parts;
    const [history, random] = [createHistory(), randomFrom(seed)];
    await simulateWhile({ system: product, history, random }, VISITORS, async () => {
      await sleep(5_000);
      await kubectl(['delete', 'pod', '-l', `app=${name}`, '--wait=true']);
      await rolledOut(name);
      await sleep(20_000);
    });
    for (const deployment of await deploymentsOf('product')) await rolledOut(deployment);
    await repair?.();
    return `${history.all().length} operations; ${await audited(parts, history)}`;
  },
});

/** Kafka comes back without its topics: what was published and not consumed is published again, and what the auditor looks for. */
const republish = async (): Promise<void> => {
  const since = new Date(Date.now() - DAY_MS).toISOString();
  for (const emitter of ['identity', 'profile', 'billing', 'credits'])
    await kubectl([
      ...['exec', `deploy/shortlist-${emitter}`, '--', 'shortlist', 'outbox', 'republish', since, '--yes'],
    ]);
};

export const SCENARIOS: readonly Scenario[] = [
  ...[use, update, scale, rotate, failMigration, kill],
  ...[recreate('mariadb'), recreate('redis-queue'), recreate('kafka', republish)],
];
