import { environment } from '../host/config.ts';
import { findProgram, type ProgramResult, run } from '../host/programs.ts';

const PROBE_TIMEOUT_MS = 20_000;

export const docker = (...args: string[]): Promise<ProgramResult> =>
  run(findProgram('docker') ?? 'docker', args);

export const isEngineRunning = async (): Promise<boolean> => {
  const program = findProgram('docker');
  if (!program) return false;
  return (await run(program, ['info'], { timeoutMs: PROBE_TIMEOUT_MS })).ok;
};

export type Compose = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<ProgramResult>;
};

const findCommand = async (): Promise<string[] | null> => {
  const program = findProgram('docker');
  if (program && (await run(program, ['compose', 'version'])).ok) return [program, 'compose'];
  const legacy = findProgram('docker-compose');
  return legacy ? [legacy] : null;
};

type ComposeProject = { file: string; project: string; env: Record<string, string> };

/** Finds `docker compose` or the older `docker-compose`; null without either. */
export const findCompose = async ({ file, project, env }: ComposeProject): Promise<Compose | null> => {
  const [command, ...rest] = (await findCommand()) ?? [];
  if (!command) return null;
  const args = [...rest, '--project-name', project, '--file', file];
  const composeEnv = { ...environment(), ...env };
  return {
    ...{ command, args, env: composeEnv },
    run: (...more) => run(command, [...args, ...more], { env: composeEnv }),
  };
};
