import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { startSystem, type System } from '@shortlist/local/system';
import type { ProcessName } from '@shortlist/local/system/ports';
import { residentMegabytes } from '../../tests/resident-megabytes.ts';

const IDLE_MS = 20_000;

/** Returns the time from the start of a process until it is ready, with its dependencies running. */
const startTime = async (system: System, name: ProcessName): Promise<number> => {
  const subject = system.process(name);
  await subject.stop();
  const startedAt = performance.now();
  subject.start();
  while (!(await subject.isReady())) await sleep(10);
  return performance.now() - startedAt;
};

/** P14 Measures the start time and the idle memory of each process. */
export const benchProcesses = async (print: (text: string) => void): Promise<void> => {
  const system = await startSystem({});
  try {
    const times = new Map<ProcessName, number>();
    for (const name of PROCESS_NAMES) times.set(name, await startTime(system, name));
    await sleep(IDLE_MS);
    for (const name of PROCESS_NAMES) {
      const seconds = ((times.get(name) ?? 0) / 1000).toFixed(2);
      print(
        `${name.padEnd(10)} ready after ${seconds} s   ${residentMegabytes(system.process(name).pid).toFixed(0)} MB idle`,
      );
    }
  } finally {
    await system.stop();
  }
};
