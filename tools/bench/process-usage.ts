import { readFileSync, writeFileSync } from 'node:fs';

/** Makes the resident memory that a process has now its peak (`man 5 proc_pid_clear_refs`). */
export const resetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Returns the largest resident memory of a process since the last reset. */
export const peakMegabytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
};

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process in ms, user and system together (`man 5 proc_pid_stat`). */
export const processorMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third field on: the second may contain spaces
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};
