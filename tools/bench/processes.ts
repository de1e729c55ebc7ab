import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_NAMES } from '@shortlist/local/processes';
import { startSystem, type System } from '@shortlist/local/system';
import type { ProcessName } from '@shortlist/local/processes';
import { residentMegabytes } from '../../tests/resident-megabytes.ts';

const REST_MS = 20_000;

/** From its start to its first "ready", with everything that it stands on up. */
const startTime = async (system: System, name: ProcessName): Promise<number> => {
  const one = system.process(name);
  await one.stop();
  const begun = performance.now();
  one.start();
  while (!(await one.isReady())) await sleep(10);
  return performance.now() - begun;
};

/** P14 how long each process takes to be ready, and what it holds at rest. */
export const benchProcesses = async (tell: (text: string) => void): Promise<void> => {
  const system = await startSystem({});
  try {
    const times = new Map<ProcessName, number>();
    for (const name of PROCESS_NAMES) times.set(name, await startTime(system, name));
    await sleep(REST_MS);
    for (const name of PROCESS_NAMES) {
      const seconds = ((times.get(name) ?? 0) / 1000).toFixed(2);
      tell(
        `${name.padEnd(10)} ready after ${seconds} s   ${residentMegabytes(system.process(name).pid).toFixed(0)} MB at rest`,
      );
    }
  } finally {
    await system.stop();
  }
};
