import { readdirSync, readFileSync } from 'node:fs';
import type { System } from '@shortlist/local/system';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { processorMs } from './surroundings.ts';

/** Processor time in ms by process, since each has started. */
export type ProcessorUsage = Map<string, number>;

export const SERVERS: Record<string, string> = {
  mariadbd: 'MariaDB',
  'redis-server': 'Redis',
  java: 'Kafka',
};

/** The servers that this process has started, as `name → pids` (`man 5 proc_pid_stat`). */
const findServers = (): Map<string, number[]> => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, name = '', parent] =
          /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(pid), name, parent: Number(parent) }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
  const isOurs = (pid: number): boolean => {
    const parent = processes.find((one) => one.pid === pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  const servers = processes.filter(({ pid, name }) => name in SERVERS && isOurs(pid));
  const byName = Map.groupBy(servers, ({ name }) => SERVERS[name] ?? name);
  return new Map([...byName].map(([name, found]) => [name, found.map(({ pid }) => pid)]));
};

const MEASURED = PROCESS_NAMES.filter((name) => name !== 'sandbox');

/** Returns what reads the processor time of every process and server of the product, the sandbox excepted. */
export const createUsageReader = (system: System): (() => ProcessorUsage) => {
  const pids = findServers();
  for (const name of MEASURED) pids.set(name, [system.process(name).pid]);
  return () =>
    new Map([...pids].map(([name, all]) => [name, all.reduce((sum, pid) => sum + processorMs(pid), 0)]));
};
