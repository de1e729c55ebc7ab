import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second in /proc (USER_HZ). */
const TICKS_PER_SECOND = 100;

const fieldsOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n')[0]?.split(/\s+/) ?? [];
  } catch {
    return []; // not Linux
  }
};

const sumSeconds = (fields: readonly (string | undefined)[]): number =>
  fields.reduce((sum, field) => sum + Number(field ?? 0), 0) / TICKS_PER_SECOND;

/** Seconds of processor time that this process's ended children and their descendants have used; 0 on other systems than Linux. */
const ofChildren = (): number => sumSeconds(fieldsOf('/proc/self/stat').slice(15, 17));

/** Seconds that the processors of the machine have worked, also for other machines on the same hardware. */
const ofMachine = (): number => {
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = fieldsOf('/proc/stat').slice(1);
  return sumSeconds([user, nice, system, interrupts, softInterrupts, stolen]);
};

export type Usage = {
  wallSeconds: number;
  /** What all processors of the machine have worked: a browser leaves processes behind that are not among the ended children. */
  processorSeconds: number;
  /** The part of that work which the ended children have done: 1 when nothing else ran. */
  shareOfChildren: number;
};

/** Begins to measure; the returned function says what was used since. */
export const measureUsage = (): (() => Usage) => {
  const start = { wall: performance.now(), children: ofChildren(), machine: ofMachine() };
  return () => {
    const processorSeconds = ofMachine() - start.machine;
    const childrenSeconds = ofChildren() - start.children;
    return {
      wallSeconds: (performance.now() - start.wall) / 1_000,
      processorSeconds,
      shareOfChildren: processorSeconds > 0 ? Math.min(childrenSeconds / processorSeconds, 1) : 1,
    };
  };
};
