import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process (VmRSS), shared pages included. */
export const residentMegabytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
};
