import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeComposed } from './backing/composed.ts';
import { portsFrom, projectName } from './backing/place.ts';
import { environment } from './config.ts';
import { engineAnswers } from './docker.ts';
import { LOCAL_DIRECTORY, RUNNING_FILE, SECRETS_FILE } from './local-files.ts';
import { BACKING_OFFSET } from './processes.ts';
import { findRunning } from './running-mark.ts';
import { readSecrets } from './secrets.ts';
import { complain, tell } from './tell.ts';

const forgetContainers = async (): Promise<void> => {
  if (!existsSync(SECRETS_FILE) || !(await engineAnswers())) return;
  const first = Number(environment().PORT || 5000) + BACKING_OFFSET;
  const secrets = await readSecrets(SECRETS_FILE);
  await removeComposed({ ports: portsFrom(first), project: projectName(first), secrets });
};

const reset = async (): Promise<number> => {
  const running = findRunning(RUNNING_FILE);
  if (running) {
    complain(`Shortlist is running (process ${running.pid}); end it with Ctrl-C first.`);
    return 1;
  }
  await forgetContainers();
  const names = await readdir(LOCAL_DIRECTORY).catch(() => []);
  for (const name of names) await rm(join(LOCAL_DIRECTORY, name), { recursive: true, force: true });
  tell('All local data is forgotten; the next `make start` begins anew.');
  return 0;
};

process.exitCode = await reset();
