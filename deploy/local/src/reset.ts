import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeComposeProject } from './backing/compose-servers.ts';
import { isEngineRunning } from './backing/docker.ts';
import { portsFrom, projectName } from './backing/resources.ts';
import { environment } from './host/config.ts';
import { print, printError } from './host/print.ts';
import { LOCAL_DIRECTORY, RUNNING_FILE, SECRETS_FILE } from './state/local-files.ts';
import { findRunning } from './state/pid-file.ts';
import { readSecrets } from './state/secrets.ts';
import { BACKING_OFFSET } from './system/system-ports.ts';

const removeContainers = async (): Promise<void> => {
  if (!existsSync(SECRETS_FILE) || !(await isEngineRunning())) return;
  const first = Number(environment().PORT || 5000) + BACKING_OFFSET;
  const secrets = await readSecrets(SECRETS_FILE);
  await removeComposeProject({ ports: portsFrom(first), project: projectName(first), secrets });
};

const reset = async (): Promise<number> => {
  const running = findRunning(RUNNING_FILE);
  if (running) {
    printError(`Shortlist is running (process ${running.pid}); stop it with Ctrl-C first.`);
    return 1;
  }
  await removeContainers();
  const names = await readdir(LOCAL_DIRECTORY).catch(() => []);
  for (const name of names) await rm(join(LOCAL_DIRECTORY, name), { recursive: true, force: true });
  print('All local data is deleted; the next `make start` begins with empty databases.');
  return 0;
};

process.exitCode = await reset();
