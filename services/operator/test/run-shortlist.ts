import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Image } from '../src/command.ts';

const ROOT = join(import.meta.dirname, '../../..');

export type Run = { code: number; stdout: string; stderr: string };

/** Runs the operator program of an image with this environment alone; `input` is its standard input. */
export const shortlist = async (
  image: Image,
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Run> => {
  const script = join(ROOT, image === 'bff' ? image : `services/${image}`, 'src/operator.ts');
  const flags = ['--disable-warning=TimeoutNegativeWarning'];
  const child = spawn(process.execPath, [...flags, script, ...args], {
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
