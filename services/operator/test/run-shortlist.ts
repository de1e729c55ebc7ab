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
import type { Image } from '../src/command.ts';
import { type Commands, type OperatorProgram, runArguments } from '../src/program.ts';
import type { Terminal } from '../src/terminal.ts';

const ROOT = join(import.meta.dirname, '../../..');

export type Run = { code: number; stdout: string; stderr: string };
type Surroundings = { env?: Record<string, string>; input?: string };

const PROGRAMS: Readonly<Record<Image, OperatorProgram>> = {
  bff,
  identity,
  profile,
  billing,
  credits,
  worker,
};

const scriptOf = (image: Image): string =>
  join(ROOT, image === 'bff' ? image : `services/${image}`, 'src/operator.ts');

/** A terminal like standard input, output and error of a process that nobody watches. */
const createTerminal = (input: string) => {
  const printed = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    print: (line) => void (printed.stdout += `${line}\n`),
    printError: (line) => void (printed.stderr += `${line}\n`),
    isInteractive: false,
    isScreen: false,
    confirm: () => Promise.reject(new Error('no terminal')),
    readSecret: () => Promise.resolve(input.split('\n')[0] ?? ''),
  };
  return { terminal, printed };
};

/**
 * Runs the operator program of an image in this process, with this environment alone; `input` is its standard input, and `commands`
 * replace those of the image.
 */
export const shortlist = async (
  image: Image,
  args: string[],
  { env = {}, input = '', commands = {} }: Surroundings & { commands?: Commands } = {},
): Promise<Run> => {
  const { terminal, printed } = createTerminal(input);
  const replaced = { image, commands: { ...PROGRAMS[image].commands, ...commands } };
  const code = await runArguments(replaced, { args, env, terminal, clock: () => new Date() });
  return { code, ...printed };
};

/** The same in a process of its own, as an operator does it. */
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
