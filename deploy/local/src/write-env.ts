import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment, REPOSITORY, SECRETS_FILE } from './host/config.ts';
import { print, printError } from './host/messages.ts';
import { envFile, makeSecrets, readSecrets } from './host/secrets.ts';

// Containers share the secrets of `make start` where there are some. An existing .env may contain edits, so it stays.
const writeEnv = async (): Promise<number> => {
  const file = join(REPOSITORY, '.env');
  if (existsSync(file)) {
    printError('.env exists already; remove it first to write a new one.');
    return 1;
  }
  const secrets = existsSync(SECRETS_FILE) ? await readSecrets(SECRETS_FILE) : makeSecrets();
  await writeFile(file, envFile(secrets, environment()), { mode: 0o600, flag: 'wx' });
  print('.env is written; next: docker compose --profile app up --build');
  return 0;
};

process.exitCode = await writeEnv();
