// Whether every process accepts the environment that a start or .env gives it. No finding contains a secret.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { environment, REPOSITORY, SECRETS_FILE } from '../host/config.ts';
import { messageOf } from '../host/messages.ts';
import { readOutput } from '../host/programs.ts';
import { completeSecrets, makeSecrets, SECRET_NAMES } from '../host/secrets.ts';
import { PROCESS_NAMES, type ProcessName } from '../system/ports.ts';
import { type Deployment, deploymentAt, planProcess } from '../system/processes.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Prints the message of each configuration that a process refuses to read. */
const READ_CONFIG = `
const config = await import(process.argv[1]);
for (const [name, read] of Object.entries(config)) {
  if (!/^read\\w*Config$/.test(name)) continue;
  try { read(process.env); } catch (error) { console.log(error.message); }
}`;

/** Returns why a process would not start in its environment; empty when it would. */
const refusalOf = async (deployment: Deployment, name: ProcessName): Promise<string> => {
  const plan = planProcess(deployment, name);
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = deployment.secrets;
  const { NODE_COMPILE_CACHE: _written, ...env } = plan.env;
  const args = ['--input-type=module', '--eval', READ_CONFIG, join(dirname(plan.script), 'config.ts')];
  const output = await readOutput(process.execPath, args, { env: { ...env, ADMIN_EMAIL, ADMIN_PASSWORD } });
  if (output === null) return `${name} cannot be checked`;
  const messages = [...new Set(output.split('\n').filter(Boolean))];
  return messages.length === 0 ? '' : `${name}: ${messages.join('; ')}`;
};

const refusalsOf = async (deployment: Deployment): Promise<string[]> => {
  const all = await Promise.all(PROCESS_NAMES.map((name) => refusalOf(deployment, name)));
  return all.filter(Boolean);
};

export const checkEnvironment = async (base: number, env = environment()): Promise<Finding[]> => {
  try {
    const { secrets } = await completeSecrets(SECRETS_FILE);
    const refusals = await refusalsOf(deploymentAt(base, secrets, env));
    if (refusals.length === 0) return ok('Every process accepts the variables of this environment');
    return refusals.flatMap((text) =>
      problem(`${text}; correct it in the environment of this shell, or in .local/secrets.env`),
    );
  } catch (error) {
    return problem(`The variables cannot be checked: ${messageOf(error)}`);
  }
};

const COMPOSE_FILE = join(REPOSITORY, 'docker-compose.yml');

/** Returns the variables that docker-compose.yml reads from .env. */
const listComposeVariables = async (): Promise<string[]> => {
  const text = await readFile(COMPOSE_FILE, 'utf8');
  return [...text.matchAll(/(?<!\$)\$\{(\w+)|^ +([A-Z_]+):$/gm)].map(
    ([, name, passed]) => name ?? passed ?? '',
  );
};

const listed = (title: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${title} ${names.join(', ')}`];

/** Checks .env, which docker compose reads and `make start` does not; so nothing in it prevents a start. */
export const checkEnvFile = async (file = join(REPOSITORY, '.env')): Promise<Finding[]> => {
  if (!existsSync(file))
    return ok('There is no .env, which only docker compose --profile app needs (make env)');
  try {
    const env = parseEnv(await readFile(file, 'utf8')) as Record<string, string>;
    const known = await listComposeVariables();
    const missing = SECRET_NAMES.filter((name) => !env[name]);
    const unknown = Object.keys(env).filter(
      (name) => !known.includes(name) && !/^(COMPOSE|DOCKER)_/.test(name),
    );
    const secrets = {
      ...makeSecrets(),
      ...Object.fromEntries(Object.entries(env).filter(([, value]) => value)),
    };
    const texts = [
      ...listed('missing', missing),
      ...listed('not read by docker-compose.yml:', unknown),
      ...(await refusalsOf(deploymentAt(5000, secrets, env))),
    ];
    if (texts.length === 0) return ok('.env is complete');
    return warning(
      `.env for docker compose: ${texts.join('; ')}; edit it, or remove it and run make env (make start does not read it)`,
    );
  } catch (error) {
    return warning(`.env cannot be read: ${messageOf(error)}`);
  }
};
