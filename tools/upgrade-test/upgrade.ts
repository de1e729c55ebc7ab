// An update of the product in use, to this release and back, process by process.
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { randomFrom, shuffle } from '@shortlist/kit/testing/sample';
import { REPOSITORY } from '@shortlist/local/host/config';
import { SERVICES } from '@shortlist/local/system/databases';
import { type ImageName, IMAGES } from '@shortlist/local/system/processes';
import { createHistory, type Parts } from '../../harness/history.ts';
import { type RollingSystem, startRollingSystem } from '../../harness/rolling-system.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import { holdAccess } from './held.ts';
import { openPage } from './page.ts';
import { watchProblems } from './problems.ts';
import type { Release } from './release.ts';

type Run = { old: Release; seed: number; rounds: number; print: (line: string) => void };

const RECRUITERS = 3;
const ALONE_MS = seconds(15);
/** How long both processes of a name serve. */
const BOTH_MS = seconds(4);
/** As in the chart: longer than a caller keeps an idle connection, which would otherwise close on a request. */
const DRAIN_SECONDS = 5;
const SETTLE_MS = minutes(2);

type Stage = {
  title: string;
  /** `label` names the folder of the logs of processes that it starts. */
  work: (label: string) => Promise<unknown>;
  screen?: string;
  /** At its end only the old release runs. `verify` of the new one expects rows that it does not write; the stage after it checks them. */
  endsOld?: boolean;
};

type Side = 'old' | 'new';

type Product = RollingSystem & {
  old: Release;
  parts: Parts & { failures: string[] };
  /** Each lists what went wrong since the last call. */
  checks: (() => Promise<string[]>)[];
  follow: (link: string) => Promise<string>;
};

/** Runs one stage under load. Returns what must not have happened by its end, and what the open page did. */
const runStage = async ({ system, parts, checks, follow }: Product, stage: Stage, label: string) => {
  await simulateWhile(parts, RECRUITERS, () => stage.work(label));
  const { breaches } = stage.endsOld
    ? { breaches: [] }
    : await waitUntilSettled(system, parts.history, SETTLE_MS);
  const found = [
    ...parts.failures.splice(0).map((failure) => `request of a recruiter: ${failure}`),
    ...breaches.map(({ invariant, detail }) => `${invariant} ${detail}`),
  ];
  for (const check of checks) found.push(...(await check()));
  if (stage.screen === undefined) return { found, page: '' };
  try {
    return { found, page: `, the open page ${await follow(stage.screen)}` };
  } catch (error) {
    return { found: [...found, `open page: ${String(error)}`], page: '' };
  }
};

const migrate = async ({ system }: Product): Promise<void> => {
  for (const name of SERVICES) await system.operate(name, ['migrate'], { root: REPOSITORY });
};

/** Replaces each process as a rolling update does. */
const replaceAll = ({ replace, old }: Product, order: readonly ImageName[], side: Side) => {
  const root = side === 'old' ? old.root : REPOSITORY;
  return async (label: string): Promise<void> => {
    for (const name of order) await replace(name, { root, label, bothMs: BOTH_MS });
  };
};

/** The stages: each round goes to the new release, back to the old one, and to the new one again, each time in another order. */
const stagesOf = (product: Product, rounds: number): Stage[] => {
  const alone = () => sleep(ALONE_MS);
  const moving = (side: Side): Stage => {
    const order = shuffle(IMAGES, product.parts.random);
    const title = `to the ${side} release: ${order.join(', ')}`;
    return { title, work: replaceAll(product, order, side), endsOld: side === 'old' };
  };
  const back = (): Stage[] => [
    moving('old'),
    { title: 'old release again', work: alone, screen: 'Your data', endsOld: true },
    moving('new'),
    { title: 'new release again', work: alone },
  ];
  return [
    { title: 'old release alone', work: alone, endsOld: true },
    {
      title: 'old release with the new schema',
      work: async () => [await migrate(product), await alone()],
      endsOld: true,
    },
    moving('new'),
    { title: 'new release alone', work: alone, screen: 'Connections' },
    ...Array.from({ length: rounds }, back).flat(),
  ];
};

const openProduct = async (rolling: RollingSystem, { old, seed }: Run) => {
  const { system } = rolling;
  const parts = { system, history: createHistory(), random: randomFrom(seed), failures: [] };
  const held = await holdAccess(system);
  const checks = [await watchProblems(system), held.check];
  const { follow, close: closePage } = await openPage(system);
  const close = async (): Promise<void> => {
    held.close();
    await closePage();
  };
  return { product: { ...rolling, old, parts, checks, follow }, close };
};

/** Runs all stages and prints a line for each. Returns what went wrong. */
export const runUpgrade = async (run: Run): Promise<string[]> => {
  const { old, rounds, print } = run;
  const rolling = await startRollingSystem({ root: old.root, drainSeconds: DRAIN_SECONDS });
  try {
    const { product, close } = await openProduct(rolling, run);
    const problems: string[] = [];
    for (const [index, stage] of stagesOf(product, rounds).entries()) {
      const startedAt = performance.now();
      const { found, page } = await runStage(product, stage, `${index}`);
      const took = ((performance.now() - startedAt) / 1_000).toFixed(0);
      const operations = product.parts.history.all().length;
      const summary = `${took} s, ${operations} operations so far${page}`;
      print(`${found.length === 0 ? 'ok  ' : 'FAIL'}  ${stage.title} (${summary})`);
      for (const problem of found) print(`      ${problem}`);
      problems.push(...found);
    }
    await close();
    return problems;
  } finally {
    await rolling.system.stop();
  }
};
