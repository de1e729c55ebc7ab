import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { removeContainers } from './backing/containers.ts';
import { portsFrom } from './backing/server.ts';
import { environment, LOCAL_DIRECTORY, SECRETS_FILE } from './host/config.ts';
import { print, printError } from './host/messages.ts';
import { findRunning } from './host/running.ts';
import { readSecrets } from './host/secrets.ts';
import { BACKING_OFFSET, readBasePort } from './system/ports.ts';

const reset = async (): Promise<number> => {
  const running = findRunning();
  if (running) {
    printError(`Shortlist is running (process ${running.pid}); stop it with Ctrl-C first.`);
    return 1;
  }
  if (existsSync(SECRETS_FILE)) {
    const ports = portsFrom(readBasePort(environment().PORT) + BACKING_OFFSET);
    await removeContainers({ ports, secrets: await readSecrets(SECRETS_FILE) });
  }
  await rm(LOCAL_DIRECTORY, { recursive: true, force: true });
  print('All local data is deleted; the next `make start` begins with empty databases.');
  return 0;
};

process.exitCode = await reset();
