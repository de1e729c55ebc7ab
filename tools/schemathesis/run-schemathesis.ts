import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROLES } from '@shortlist/contracts/admin-permissions';
import type { System } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { installPythonPackages, runProgram } from '../../harness/python.ts';
import { createIdentity } from './identities.ts';
import { describePublicApi, type Sender } from './public-api.ts';

const FOLDER = import.meta.dirname;
const DESCRIPTION = join(FOLDER, '../../bff/openapi.json');
const PROCESSES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;

export const SENDERS: readonly Sender[] = ['nobody', 'user', ...ADMIN_ROLES];

/** Settings of bff for the runs. */
export const BFF_SETTINGS = { TRUSTED_PROXIES: '127.0.0.1,::1' };

type Options = { examples: number; seed: number };
/** The code is 0 when every reply agreed with its description. */
export type Compared = { code: number; output: string };

/** Installs the pinned packages once, or returns why they are missing. */
export const installSchemathesis = async () => {
  const requirements = await readFile(join(FOLDER, 'requirements.txt'), 'utf8');
  return installPythonPackages('schemathesis', requirements.trim().split('\n'));
};

const compare = async (
  { programs }: { programs: string },
  { examples, seed }: Options,
  [config, description, ...args]: [config: string, description: string, ...args: string[]],
): Promise<Compared> => {
  const { code, output } = await runProgram(join(programs, 'schemathesis'), [
    ...['--config-file', config, 'run', description, ...args],
    // It holds against a description what its own generator finds hard, such as two dates of this millennium.
    '--suppress-health-check=filter_too_much',
    ...[`--max-examples=${examples}`, `--seed=${seed}`, '--continue-on-failure', '--output-truncate=false'],
  ]);
  return { code: code ?? 1, output };
};

/** Sends what the description of the API for tools allows, and what it does not, and compares the replies with it. */
export const compareToolsApi = async (
  system: System,
  programs: { programs: string },
  options: Options,
): Promise<Compared> => {
  const { made } = await registerWithKey(system);
  const args = [`--url=${system.publicUrl}`, `--header=Authorization: Bearer ${made.key}`];
  return compare(programs, options, [join(FOLDER, 'schemathesis.toml'), DESCRIPTION, ...args]);
};

/** Does the same for the public API with the sessions of a role. `url` is in front of the product. */
export const comparePublicApi = async (
  system: System,
  programs: { programs: string },
  { sender, url = system.publicUrl, ...options }: Options & { sender: Sender; url?: string },
): Promise<Compared> => {
  const { ids, logIn } = await createIdentity(system, sender);
  const folder = await mkdtemp(join(tmpdir(), 'public-api-'));
  const [config, description] = [join(folder, 'public-api.toml'), join(folder, 'openapi.json')];
  try {
    const template = await readFile(join(FOLDER, 'public-api.toml'), 'utf8');
    await writeFile(
      config,
      template.replace(/\$\{(\w+)\}/g, (_, name: string) => logIn[name] ?? ''),
    );
    await writeFile(description, JSON.stringify(describePublicApi(sender, ids)));
    // Each has a network of its own, because a network may use some links in a minute.
    const network = `--header=X-Forwarded-For: 10.${SENDERS.indexOf(sender)}.0.1`;
    const args = [`--url=${url}`, network, ...(sender === 'nobody' ? ['--warnings=off'] : [])];
    return await compare(programs, options, [config, description, ...args]);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Returns what tells which processes have ended or logged a fatal error since. */
export const watchProcesses = (system: System): (() => string[]) => {
  const before = PROCESSES.map((name) => system.process(name).pid);
  return () =>
    PROCESSES.flatMap((name, index) => {
      const { pid, hasEnded, logs } = system.process(name);
      return [
        ...(pid === before[index] && !hasEnded() ? [] : [`${name} has ended`]),
        ...(logs().includes('"level":"fatal"') ? [`${name} has logged a fatal error`] : []),
      ];
    });
};
