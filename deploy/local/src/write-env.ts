import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY, REPOSITORY } from './local-files.ts';
import { makeSecrets, readSecrets } from './secrets.ts';
import { complain, tell } from './tell.ts';

// The same secrets as `make start`, where there are some, but never written over what a person may have edited.
const writeEnv = async (): Promise<number> => {
  const file = join(REPOSITORY, '.env');
  if (existsSync(file)) {
    complain('.env is there already; remove it first if it should be made anew.');
    return 1;
  }
  const kept = join(LOCAL_DIRECTORY, 'secrets.env');
  const secrets = existsSync(kept) ? await readSecrets(kept) : makeSecrets();
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  tell('.env is written; next: docker compose --profile app up --build');
  return 0;
};

process.exitCode = await writeEnv();
