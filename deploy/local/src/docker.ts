import { environment } from './config.ts';
import { findProgram, run, type Outcome } from './programs.ts';

const ENGINE_PATIENCE_MS = 5_000;

export const docker = (...args: string[]): Promise<Outcome> => run(findProgram('docker') ?? 'docker', args);

export const engineAnswers = async (): Promise<boolean> => {
  const program = findProgram('docker');
  if (!program) return false;
  return (await run(program, ['info'], { timeoutMs: ENGINE_PATIENCE_MS })).ok;
};

export type Compose = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<Outcome>;
};

const findCommand = async (): Promise<string[] | null> => {
  const program = findProgram('docker');
  if (program && (await run(program, ['compose', 'version'])).ok) return [program, 'compose'];
  const older = findProgram('docker-compose');
  return older ? [older] : null;
};

type ComposeProject = { file: string; project: string; env: Record<string, string> };

/** `docker compose`, or the older `docker-compose`; null where neither is here. */
export const findCompose = async ({ file, project, env }: ComposeProject): Promise<Compose | null> => {
  const [command, ...rest] = (await findCommand()) ?? [];
  if (!command) return null;
  const args = [...rest, '--project-name', project, '--file', file];
  const surroundings = { ...environment(), ...env };
  return {
    ...{ command, args, env: surroundings },
    run: (...more) => run(command, [...args, ...more], { env: surroundings }),
  };
};
