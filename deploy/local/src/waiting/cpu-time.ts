import { run } from '../host/programs.ts';

type ProcessRow = { pid: number; parent: number; time: string };

/** The CPU time of a process and its descendants, in whole seconds each, as text to compare. */
export type CpuTimes = (pid: number) => string;

const parseRow = (line: string): ProcessRow => {
  const [pid, parent, time = ''] = line.trim().split(/\s+/);
  // macOS adds hundredths, which would count a single readiness check as activity.
  return { pid: Number(pid), parent: Number(parent), time: time.replace(/\.\d+$/, '') };
};

/** Reads the CPU times of all processes; without a `ps` program every text is empty. */
export const readCpuTimes = async (): Promise<CpuTimes> => {
  const { ok, output } = await run('ps', ['-eo', 'pid=,ppid=,time=']);
  const rows = ok ? output.split('\n').filter(Boolean).map(parseRow) : [];
  const timesOf = (pid: number): string[] =>
    rows.flatMap((row) => [
      ...(row.pid === pid ? [row.time] : []),
      ...(row.parent === pid ? timesOf(row.pid) : []),
    ]);
  return (pid) => timesOf(pid).join(' ');
};
