import { basename } from 'node:path';
import { readOutput } from './programs.ts';

export type Process = { pid: number; parent: number; command: string };

/** Returns the processes of this machine; none where `ps` is missing. */
export const listProcesses = async (): Promise<Process[]> => {
  const output = (await readOutput('ps', ['-ww', '-eo', 'pid=,ppid=,args='])) ?? '';
  return [...output.matchAll(/^ *(\d+) +(\d+) +(.+)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
};

/** The file name of its program. Its arguments may contain secrets of other products. */
export const programOf = ({ command }: Process): string => basename(command.split(' ')[0] ?? '');

/** Returns the process that listens on a port; null when this user may not see it or no program can tell. */
export const findListener = async (port: number): Promise<number | null> => {
  const output =
    (await readOutput('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'])) ??
    (await readOutput('ss', ['-Hltnp', `sport = :${port}`]));
  const [, pid] = /(?:^p|pid=)(\d+)/m.exec(output ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
};
