// What an earlier start has left: its pid file, its processes, and the ports that they use.
import { join, relative } from 'node:path';
import { LOCAL_DIRECTORY, REPOSITORY } from '../host/config.ts';
import { describePortsInUse, isPortFree } from '../host/ports.ts';
import { findListener, type Process, programOf } from '../host/processes.ts';
import { findRunning, PID_FILE, readPidFile, type Running } from '../host/running.ts';
import { WORKSPACES } from '../system/processes.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const START = /\bdeploy\/local\/src\/start\.ts\b/;

const describe = (process: Process): string => `${programOf(process)} (process ${process.pid})`;

const findNamed = (processes: readonly Process[], pid: number): Process | undefined =>
  processes.find((process) => process.pid === pid);

/** Returns the start that the pid file names; null when it has ended, also when another program has its id by now. */
export const findStart = (processes: readonly Process[], file = PID_FILE): Running | null => {
  const running = findRunning(file);
  const found = running && findNamed(processes, running.pid);
  return found && !START.test(found.command) ? null : running;
};

export const checkPidFile = (processes: readonly Process[], file = PID_FILE): Finding[] => {
  const named = readPidFile(file);
  if (named === null) return ok('Shortlist is not running from this folder');
  const name = relative(REPOSITORY, file);
  if (findRunning(file) === null)
    return warning(`${name} names process ${named.pid}, which has ended; the next start replaces the file`);
  if (findStart(processes, file) !== null)
    return problem(
      `Shortlist is already running from this folder, on port ${named.base} (process ${named.pid}); ` +
        'use that one, or stop it with Ctrl-C in its terminal',
    );
  return problem(`${name} names process ${named.pid}, which is another program; remove the file: rm ${name}`);
};

/** The programs of a start. */
const PROGRAMS = ['node', 'java', 'mariadbd', 'redis-server'];

/**
 * Finds the processes of a start that has ended: those with the data or the sources of this folder whose parent is not the
 * Node process that started them.
 */
export const checkLeftovers = (
  processes: readonly Process[],
  directory = LOCAL_DIRECTORY,
  root = REPOSITORY,
): Finding[] => {
  const scripts = Object.values(WORKSPACES).map((workspace) => join(root, workspace, 'src/main.ts'));
  const marks = [join(directory, 'backing/'), ...scripts];
  const isOurs = (process: Process): boolean =>
    PROGRAMS.includes(programOf(process)) && marks.some((mark) => process.command.includes(mark));
  const ours = processes.filter(isOurs);
  // A child of a server, such as the one in which Redis saves, has the arguments of its parent.
  const parents = [...ours, ...processes.filter((process) => programOf(process) === 'node')];
  const orphans = ours.filter(({ parent }) => !parents.some(({ pid }) => pid === parent));
  if (orphans.length === 0) return ok('No process of an earlier start is left');
  const pids = orphans.map(({ pid }) => pid).join(' ');
  return problem(
    `Left of an earlier start, with its data or ports: ${orphans.map(describe).join(', ')}; end: kill ${pids}`,
  );
};

export const checkPorts = async (
  ports: readonly number[],
  processes: readonly Process[],
): Promise<Finding[]> => {
  const free = await Promise.all(ports.map(isPortFree));
  const taken = ports.filter((_, index) => !free[index]);
  if (taken.length === 0)
    return ok(`The ports of a start are free, from ${Math.min(...ports)} to ${Math.max(...ports)}`);
  const listeners = await Promise.all(taken.map(findListener));
  const byUser = Object.groupBy(taken, (port) => {
    const found = findNamed(processes, listeners[taken.indexOf(port)] ?? 0);
    return found ? describe(found) : 'another program';
  });
  return Object.entries(byUser).flatMap(([user, used = []]) => problem(describePortsInUse(used, user)));
};
