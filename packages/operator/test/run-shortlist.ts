import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { program as billing } from '@shortlist/billing/operator';
import { program as credits } from '@shortlist/credits/operator';
import { program as identity } from '@shortlist/identity/operator';
import { program as profile } from '@shortlist/profile/operator';
import { program as worker } from '@shortlist/worker/operator';
import { program as bff } from '../../../bff/src/operator.ts';
import { program as backup } from '../../../deploy/backup/src/operator.ts';
import type { Image } from '../src/command.ts';
import type { Commands, OperatorProgram } from '../src/program.ts';
import { type Run, runInProcess, type Surroundings } from '../src/testing/run-in-process.ts';

const ROOT = join(import.meta.dirname, '../../..');

const PROGRAMS: Readonly<Record<Image, OperatorProgram>> = {
  bff,
  identity,
  profile,
  billing,
  credits,
  worker,
  backup,
};

const FOLDERS: Partial<Record<Image, string>> = { bff: 'bff', backup: 'deploy/backup' };

const scriptOf = (image: Image): string =>
  join(ROOT, FOLDERS[image] ?? `services/${image}`, 'src/operator.ts');

/**
 * Runs the operator program of an image in this process, with this environment alone; `input` is its standard input, and `commands`
 * replace those of the image.
 */
export const shortlist = (
  image: Image,
  args: string[],
  { commands = {}, ...surroundings }: Surroundings & { commands?: Commands } = {},
): Promise<Run> => {
  const replaced = { image, commands: { ...PROGRAMS[image].commands, ...commands } };
  return runInProcess(replaced, args, { ...surroundings, clock: () => new Date() });
};

/** The same in a separate process, as an operator runs it. */
export const spawnShortlist = async (
  image: Image,
  args: string[],
  { env = {}, input = '' }: Surroundings = {},
): Promise<Run> => {
  const flags = ['--disable-warning=TimeoutNegativeWarning'];
  const child = spawn(process.execPath, [...flags, scriptOf(image), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  child.stdin.on('error', () => undefined); // a program that reads nothing may have ended
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
};
