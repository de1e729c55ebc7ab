// What may happen to an installation, in the order of a run. Each scenario throws when the product falls short, and otherwise returns
// what was measured.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { days, minutes } from '@shortlist/contracts/durations';
import { randomFrom } from '@shortlist/kit/testing/sample';
import type { Installation } from '@shortlist/local/system';
import { countAcked, createHistory, type History } from '../../harness/history.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { BACKUP_VALUES, restartAll, type Target, testRelease, upgrade } from './install.ts';
import { deploymentsOf, kubectl, listPods, rolledOut, runCronJob } from './kubernetes.ts';
import { applyBackupSecrets, applyMigrationSecrets, applySecrets, rotations } from './secrets.ts';

export type Parts = {
  target: Target;
  product: Installation;
  /** How long pods are killed. */
  minutes: number;
  seed: number;
};
export type Scenario = { name: string; run: (parts: Parts) => Promise<string> };

const USERS = 4;
const SETTLE_MS = minutes(3);
/** How long a job of backups may take. */
const BACKUP_MS = minutes(5);

const audited = async ({ product }: Parts, history: History): Promise<string> => {
  const { breaches, ms } = await waitUntilSettled(product, history, SETTLE_MS);
  const lines = breaches.slice(0, 10).map(({ invariant, detail }) => `${invariant} ${detail}`);
  if (breaches.length > 0) throw new Error(`${breaches.length} breaches\n${lines.join('\n')}`);
  const operations = `${history.all().length} operations, ${countAcked(history)} acked`;
  return `${operations}; every invariant held ${(ms / 1000).toFixed(0)} s later`;
};

type Work = (random: () => number) => Promise<unknown>;

/** Lets recruiters use the product during the work, and waits until every workload is ready again. */
const useDuring = async (parts: Parts, work: Work, failures: string[] = []): Promise<History> => {
  const { product: system, seed } = parts;
  const [history, random] = [createHistory(), randomFrom(seed)];
  await simulateWhile({ system, history, random, failures }, USERS, () => work(random));
  await rolledOut(...(await deploymentsOf('product')));
  return history;
};

/** Work that no user may notice: nothing has to be tried again. */
const unnoticed = async (parts: Parts, work: Work): Promise<string> => {
  const failures: string[] = [];
  const history = await useDuring(parts, work, failures);
  if (failures.length > 0)
    throw new Error(`${failures.length} requests failed\n${failures.slice(0, 10).join('\n')}`);
  return `no request failed, ${await audited(parts, history)}`;
};

export const INSTALLATION: Scenario = {
  name: 'installation, two pods of each migrating at once, and helm test',
  run: async ({ target }) => {
    const startedAt = performance.now();
    await upgrade(target, { tag: target.oldTag });
    const seconds = (performance.now() - startedAt) / 1000;
    await kubectl(['exec', 'deploy/shortlist-billing', '--', 'shortlist', 'stripe-check', '--apply']);
    await testRelease();
    return `ready after ${seconds.toFixed(0)} s`;
  },
};

const use: Scenario = {
  name: 'sign-ups, log-ins, payments and charges',
  run: (parts) => unnoticed(parts, () => sleep(30_000)),
};

const update: Scenario = {
  name: 'rolling update of every workload under load',
  run: (parts) => unnoticed(parts, () => upgrade(parts.target, { tag: parts.target.tag })),
};

const scale: Scenario = {
  name: 'three pods of each and back under load',
  run: (parts) =>
    unnoticed(parts, async () => {
      for (const replicas of [3, 2]) {
        const set = [`workloads.default.replicas=${replicas}`];
        await upgrade(parts.target, { tag: parts.target.tag, set });
      }
    }),
};

const rotate: Scenario = {
  name: 'keys of the service tokens replaced in three steps under load',
  run: (parts) =>
    unnoticed(parts, async () => {
      for (const secrets of rotations(parts.target.secrets, randomBytes(32).toString('hex'))) {
        await applySecrets(secrets);
        await restartAll();
      }
    }),
};

const failMigration: Scenario = {
  name: 'a migration that fails leaves the old version serving',
  run: async (parts) => {
    const { target } = parts;
    const { secrets, tag, oldTag } = target;
    const running = ['--field-selector', 'status.phase=Running'];
    const before = await listPods(...running);
    const used = await unnoticed(parts, async () => {
      await applyMigrationSecrets(secrets, 'billing');
      const set = ['migrations.deadlineSeconds=60'];
      const outcome = upgrade(target, { tag: oldTag, set, seconds: 180 });
      if (await outcome.then(() => true).catch(() => false)) throw new Error('the upgrade succeeded');
    });
    const added = (await listPods(...running)).filter((name) => !before.includes(name));
    if (added.length > 0) throw new Error(`pods were replaced by ${added.join(', ')}`);
    await applyMigrationSecrets(secrets);
    await upgrade(target, { tag });
    return `${used}; the next upgrade migrates`;
  },
};

const kill: Scenario = {
  name: 'killed pods under load',
  run: async (parts) => {
    let killed = 0;
    const endsAt = Date.now() + minutes(parts.minutes);
    const history = await useDuring(parts, async (random) => {
      while (Date.now() < endsAt) {
        const pods = await listPods();
        const pod = pods[Math.floor(random() * pods.length)] ?? '';
        await kubectl(['delete', pod, '--grace-period=0', '--force', '--wait=false']);
        killed += 1;
        await sleep(3_000 + random() * 6_000);
      }
    });
    return `${killed} pods killed in ${parts.minutes} min, ${await audited(parts, history)}`;
  },
};

const backUp: Scenario = {
  name: 'a backup, the copy of the log and the trial of both under load',
  run: async (parts) => {
    const { secrets, tag } = parts.target;
    await applyBackupSecrets(secrets);
    await upgrade(parts.target, { tag, set: [...BACKUP_VALUES] });
    let trial = '';
    const used = await unnoticed(parts, async () => {
      await runCronJob('backup', BACKUP_MS);
      await runCronJob('backup-logs', BACKUP_MS);
      trial = await runCronJob('backup-verify', BACKUP_MS);
    });
    return `${trial.trim().split('\n').at(-1)}; ${used}`;
  },
};

/** Deletes the pod of a backing service, while it is used, and waits for the next one and for a product that works again. */
const recreate = (name: string, repair?: () => Promise<void>): Scenario => ({
  name: `${name} recreated under load`,
  run: async (parts) => {
    const history = await useDuring(parts, async () => {
      await sleep(5_000);
      await kubectl(['delete', 'pod', '-l', `app=${name}`, '--wait=true']);
      await rolledOut(name);
      await sleep(20_000);
    });
    await repair?.();
    return audited(parts, history);
  },
});

/** Kafka comes back without its topics: what was published and not consumed is published again, and what `verify` looks for. */
const republish = async (): Promise<void> => {
  const since = new Date(Date.now() - days(1)).toISOString();
  for (const emitter of ['identity', 'profile', 'billing', 'credits']) {
    const command = ['shortlist', 'outbox', 'republish', since, '--yes'];
    await kubectl(['exec', `deploy/shortlist-${emitter}`, '--', ...command]);
  }
};

// The update comes first, because `verify` knows the schema of the version under test alone.
export const SCENARIOS: readonly Scenario[] = [
  update,
  use,
  scale,
  rotate,
  failMigration,
  backUp,
  kill,
  recreate('mariadb'),
  recreate('redis-queue'),
  recreate('kafka', republish),
];
