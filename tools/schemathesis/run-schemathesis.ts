import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { type Ended, installPythonPackages, runProgram } from '../../harness/python.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');
const DESCRIPTION = join(import.meta.dirname, '../../bff/openapi.json');

/**
 * Sends what the description allows, and what it does not, and compares the replies with it. The code is 0 when all of them agree.
 * Installs the pinned packages once, or returns why they are missing.
 */
export const runSchemathesis = async (
  system: System,
  { examples, seed }: { examples: number; seed: number },
): Promise<Ended | { missing: string }> => {
  const requirements = readFileSync(REQUIREMENTS, 'utf8').trim().split('\n');
  const installed = await installPythonPackages('schemathesis', requirements);
  if ('missing' in installed) return installed;
  const { made } = await registerWithKey(system);
  return runProgram(join(installed.programs, 'schemathesis'), [
    '--config-file',
    CONFIG,
    'run',
    DESCRIPTION,
    `--url=${system.publicUrl}`,
    `--header=Authorization: Bearer ${made.key}`,
    `--max-examples=${examples}`,
    `--seed=${seed}`,
    '--continue-on-failure',
    '--output-truncate=false',
  ]);
};
