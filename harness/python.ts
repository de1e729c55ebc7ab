// Python packages that tests run beside the product, each set in an environment of its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the packages, and of what they remember of their runs. */
const LOCAL = join(import.meta.dirname, '../.local');

export type Ended = { code: number | null; output: string };

/** Runs a program until it ends, and returns what it has written. The code is null when it could not be started. */
export const runProgram = (command: string, args: readonly string[], input = ''): Promise<Ended> => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  mkdirSync(LOCAL, { recursive: true });
  const child = spawn(command, args, { cwd: LOCAL, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.once('error', (error) => resolve({ code: null, output: error.message }));
  child.once('close', (code) => resolve({ code, output }));
  child.stdin.on('error', () => undefined).end(input);
  return promise;
};

/** The folder with the programs of an environment, or why there is none. */
export type PythonPrograms = { programs: string } | { missing: string };

/** Installs pinned packages once, in a folder of their own. */
export const installPythonPackages = async (
  name: string,
  requirements: readonly string[],
): Promise<PythonPrograms> => {
  const edition = createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 12);
  const folder = join(LOCAL, `${name}-${edition}`);
  const programs = join(folder, 'bin');
  const done = join(folder, 'installed');
  if (existsSync(done)) return { programs };
  const install = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', ...requirements];
  const steps = [
    ['python3', '-m', 'venv', folder],
    [join(programs, 'pip'), ...install],
  ];
  for (const [command = '', ...args] of steps) {
    const { code, output } = await runProgram(command, args);
    if (code === 0) continue;
    await rm(folder, { recursive: true, force: true });
    return { missing: output.trim().split('\n').at(-1) ?? '' };
  }
  await writeFile(done, '');
  return { programs };
};

/** Runs a script with JSON as its input, and returns what it prints. */
export const runPython = async (
  { programs }: { programs: string },
  script: string,
  input: unknown,
): Promise<string> =>
  (await runProgram(join(programs, 'python'), ['-c', script], JSON.stringify(input))).output.trim();
