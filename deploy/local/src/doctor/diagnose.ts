import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listPartsToStart } from '../backing/backing.ts';
import { portsFrom } from '../backing/server.ts';
import { environment, REPOSITORY } from '../host/config.ts';
import { messageOf } from '../host/messages.ts';
import { listProcesses } from '../host/processes.ts';
import { BACKING_OFFSET, processPorts, readBasePort } from '../system/ports.ts';
import { checkEnvFile, checkEnvironment } from './configuration.ts';
import { checkLeftovers, checkPidFile, checkPorts, findStart } from './earlier-start.ts';
import { type Finding, problem } from './finding.ts';
import {
  checkBrowsers,
  checkClock,
  checkDisk,
  checkFolder,
  checkMemory,
  checkNode,
  checkNpm,
  checkPackages,
  checkServers,
  checkWatches,
} from './machine.ts';

type Manifest = { devDependencies: { node: string } };

const checkBase = async (): Promise<Finding[]> => {
  const base = readBasePort(environment().PORT);
  const processes = await listProcesses();
  const ofServers = listPartsToStart().length > 0 ? portsFrom(base + BACKING_OFFSET) : [];
  return [
    ...checkPidFile(processes),
    ...checkLeftovers(processes),
    // A product that runs has its ports itself.
    ...(findStart(processes)?.base === base
      ? []
      : await checkPorts([...processPorts(base), ...ofServers], processes)),
    ...(await checkEnvironment(base)),
  ];
};

/** Checks what `make start` needs on this machine, and what is in its way. Ends nothing and changes nothing. */
export const diagnose = async (): Promise<Finding[]> => {
  const manifest = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as Manifest;
  const findings = await Promise.all([
    checkPackages(),
    checkNpm(),
    checkServers(),
    checkFolder(),
    checkDisk(),
    checkBase().catch((error: unknown) => problem(messageOf(error))),
    checkEnvFile(),
    checkWatches(),
    checkClock(Date.now()),
  ]);
  return [
    ...checkNode(process.versions.node, manifest.devDependencies.node),
    ...checkMemory(process.availableMemory()),
    ...checkBrowsers(),
    ...findings.flat(),
  ];
};
