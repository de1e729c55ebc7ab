// make stripe-conformance [name=…]: records the scenarios with STRIPE_SECRET_KEY at STRIPE_API_BASE, or with a sandbox of its own.
// make stripe-conformance compare="one other": compares two recordings.
import { join } from 'node:path';
import { compare, readRecordings, writeRecording } from './compare.ts';
import { connectAccount } from './account-world.ts';
import { record } from './recording.ts';
import { connectSandbox, isSandbox, startSandbox } from './sandbox-world.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Provider } from './world.ts';

const FOLDER = join(import.meta.dirname, '../../.local/stripe-conformance');
const { STRIPE_SECRET_KEY: key = '', STRIPE_API_BASE: base = '' } = process.env;
const { 2: nameText = '', 3: compared = '' } = process.argv;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Target = { provider: Provider; name: string; close?: () => Promise<void> };

const openTarget = async (): Promise<Target> => {
  if (key === '') return { ...(await startSandbox()), name: 'sandbox' };
  if (base === '') return { provider: connectAccount({ key }), name: 'account' };
  if (await isSandbox(base)) return { provider: await connectSandbox({ key, base }), name: 'sandbox' };
  return { provider: connectAccount({ key, base }), name: 'account' };
};

const recordAll = async (): Promise<void> => {
  const { provider, name, close } = await openTarget();
  const folder = join(FOLDER, nameText || name);
  for (const [scenario, run] of Object.entries(SCENARIOS)) {
    const { recording } = await record(provider, scenario, run);
    await writeRecording(folder, recording);
    const { notPossible, failed } = recording;
    if (failed !== undefined) process.exitCode = 1;
    const outcome = notPossible === undefined ? 'recorded' : `not possible by API: ${notPossible}`;
    print(`${scenario}: ${failed === undefined ? outcome : `failed: ${failed}`}`);
  }
  await close?.();
  print(`${Object.keys(SCENARIOS).length} scenarios in ${folder}`);
};

const compareAll = async (names: string[]): Promise<void> => {
  const [one = [], other = []] = await Promise.all(names.map((name) => readRecordings(join(FOLDER, name))));
  const { differences, notCompared } = compare(one, other);
  for (const line of differences) print(line);
  for (const line of notCompared) print(`not compared: ${line}`);
  print(`${differences.length} differences, ${notCompared.length} scenarios not compared`);
  if (differences.length > 0) process.exitCode = 1;
};

const names = compared.split(' ').filter((name) => name !== '');
if (names.length === 0) await recordAll();
else if (names.length === 2) await compareAll(names);
else {
  print('Name two recordings, as in: make stripe-conformance compare="sandbox account"');
  process.exitCode = 2;
}
