import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Of the packages, and of what Schemathesis remembers of its runs. */
const LOCAL = join(ROOT, '.local');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');
const DESCRIPTION = join(ROOT, 'bff/openapi.json');

type Ended = { code: number | null; output: string };

const run = (command: string, args: readonly string[]): Promise<Ended> => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  mkdirSync(LOCAL, { recursive: true });
  const child = spawn(command, args, { cwd: LOCAL, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.once('error', (error) => resolve({ code: null, output: error.message }));
  child.once('close', (code) => resolve({ code, output }));
  return promise;
};

/** Installs the pinned packages once, in a folder of their own. Returns its programs, or why there are none. */
export const installSchemathesis = async (): Promise<{ programs: string } | { missing: string }> => {
  const edition = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(LOCAL, `schemathesis-${edition}`);
  const programs = join(folder, 'bin');
  if (existsSync(join(programs, 'schemathesis'))) return { programs };
  const steps = [
    ['python3', '-m', 'venv', folder],
    [
      join(programs, 'pip'),
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--requirement',
      REQUIREMENTS,
    ],
  ];
  for (const [command = '', ...args] of steps) {
    const { code, output } = await run(command, args);
    if (code === 0) continue;
    await rm(folder, { recursive: true, force: true });
    return { missing: output.trim().split('\n').at(-1) ?? '' };
  }
  return { programs };
};

export type SchemathesisOptions = {
  programs: string;
  url: string;
  key: string;
  examples: number;
  seed: number;
};

/** Sends what the description allows, and what it does not, and compares the replies with it. The code is 0 when all of them agree. */
export const runSchemathesis = ({
  programs,
  url,
  key,
  examples,
  seed,
}: SchemathesisOptions): Promise<Ended> =>
  run(join(programs, 'schemathesis'), [
    '--config-file',
    CONFIG,
    'run',
    DESCRIPTION,
    `--url=${url}`,
    `--header=Authorization: Bearer ${key}`,
    `--max-examples=${examples}`,
    `--seed=${seed}`,
    '--continue-on-failure',
    '--output-truncate=false',
  ]);
