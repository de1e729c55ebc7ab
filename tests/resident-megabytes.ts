import { readFileSync } from 'node:fs';

/** What a process holds in memory now, shared pages included, as the kernel counts it. */
export const residentMegabytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
};
