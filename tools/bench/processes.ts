import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@shortlist/local/system';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { residentMegabytes } from '../../harness/resident-megabytes.ts';
import { type Print, timed } from './measure.ts';
import { processorMs, withSystem } from './surroundings.ts';

/** Producers that send nothing disconnect in this time. */
const IDLE_MS = 40_000;
const MEASURED_MS = 30_000;

/** The time from the start of each process until it is ready. */
const restartAll = async (system: System): Promise<Map<string, number>> => {
  const times = new Map<string, number>();
  for (const name of PROCESS_NAMES) {
    const subject = system.process(name);
    await subject.stop();
    const start = async (): Promise<void> => {
      subject.start();
      while (!(await subject.isReady())) await sleep(10);
    };
    times.set(name, await timed(start));
  }
  return times;
};

/** P14 Measures the time from the start of each process until it is ready, with its dependencies running, and its memory at rest. */
export const benchProcesses = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    const times = await restartAll(system);
    await sleep(IDLE_MS);
    const busyBefore = new Map(PROCESS_NAMES.map((name) => [name, processorMs(system.process(name).pid)]));
    await sleep(MEASURED_MS);
    let total = 0;
    for (const name of PROCESS_NAMES) {
      const memory = residentMegabytes(system.process(name).pid).toFixed(0);
      const busyMs = processorMs(system.process(name).pid) - (busyBefore.get(name) ?? 0);
      const share = (100 * busyMs) / MEASURED_MS;
      total += share;
      print(
        `P14 ${name.padEnd(10)} ready after ${((times.get(name) ?? 0) / 1000).toFixed(2)} s   ${memory} MB and ${share.toFixed(1)} % of a core at rest`,
      );
    }
    print(`P14 all together ${total.toFixed(1)} % of a core at rest`);
  });
