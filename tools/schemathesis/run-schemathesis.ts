import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, installPythonPackages, type PythonPrograms, runProgram } from '../../harness/python.ts';

const ROOT = join(import.meta.dirname, '../..');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');
const DESCRIPTION = join(ROOT, 'bff/openapi.json');

/** Installs the pinned packages once. Returns its programs, or why there are none. */
export const installSchemathesis = (): Promise<PythonPrograms> =>
  installPythonPackages('schemathesis', readFileSync(REQUIREMENTS, 'utf8').trim().split('\n'));

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
  runProgram(join(programs, 'schemathesis'), [
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
