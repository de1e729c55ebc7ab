// An update of the product in use, to this release and back, process by process.
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { randomFrom, shuffle } from '@shortlist/kit/testing/sample';
import { type ImageName, IMAGES } from '@shortlist/local/system/processes';
import { createHistory, type Parts } from '../../harness/history.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { simulateWhile } from '../faults/recruiter.ts';
import { type Fleet, type Side, startFleet } from './fleet.ts';
import { holdAccess } from './held.ts';
import { openPage } from './page.ts';
import { watchProblems } from './problems.ts';
import type { Release } from './release.ts';

type Run = { old: Release; seed: number; rounds: number; print: (line: string) => void };

const RECRUITERS = 3;
const ALONE_MS = seconds(15);
const SETTLE_MS = minutes(2);

type Stage = {
  title: string;
  work: () => Promise<unknown>;
  screen?: string;
  /** The schema of the old release, which `verify` of the new one does not know. */
  isBeforeMigration?: true;
};

type Product = {
  fleet: Fleet;
  parts: Parts & { failures: string[] };
  /** Each lists what went wrong since the last call. */
  checks: (() => Promise<string[]>)[];
  follow: (link: string) => Promise<string>;
};

/** Runs one stage under load. Returns what must not have happened by its end, and what the open page did. */
const runStage = async ({ fleet, parts, checks, follow }: Product, stage: Stage) => {
  await simulateWhile(parts, RECRUITERS, stage.work);
  const { breaches } = stage.isBeforeMigration
    ? { breaches: [] }
    : await waitUntilSettled(fleet.installation, parts.history, SETTLE_MS);
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

const replaceAll = (fleet: Fleet, order: readonly ImageName[], side: Side) => async (): Promise<void> => {
  for (const name of order) await fleet.replace(name, side);
};

/** The stages: each round goes to the new release, back to the old one, and to the new one again, each time in another order. */
const stagesOf = ({ fleet, parts: { random } }: Product, rounds: number): Stage[] => {
  const alone = () => sleep(ALONE_MS);
  const moving = (side: Side): Stage => {
    const order = shuffle(IMAGES, random);
    return { title: `to the ${side} release: ${order.join(', ')}`, work: replaceAll(fleet, order, side) };
  };
  const back = (): Stage[] => [
    moving('old'),
    { title: 'old release again', work: alone, screen: 'Your data' },
    moving('new'),
    { title: 'new release again', work: alone },
  ];
  return [
    { title: 'old release alone', work: alone, isBeforeMigration: true },
    { title: 'old release with the new schema', work: async () => [await fleet.migrate(), await alone()] },
    moving('new'),
    { title: 'new release alone', work: alone, screen: 'Connections' },
    ...Array.from({ length: rounds }, back).flat(),
  ];
};

const openProduct = async (fleet: Fleet, seed: number) => {
  const { installation: system } = fleet;
  const parts = { system, history: createHistory(), random: randomFrom(seed), failures: [] };
  const checks = [await watchProblems(fleet.system), await holdAccess(system)];
  const { follow, close } = await openPage(system);
  return { product: { fleet, parts, checks, follow }, close };
};

/** Runs all stages and prints a line for each. Returns what went wrong. */
export const runUpgrade = async ({ old, seed, rounds, print }: Run): Promise<string[]> => {
  const fleet = await startFleet(old);
  try {
    const { product, close } = await openProduct(fleet, seed);
    const problems: string[] = [];
    for (const stage of stagesOf(product, rounds)) {
      const startedAt = performance.now();
      const { found, page } = await runStage(product, stage);
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
    await fleet.stop();
  }
};
