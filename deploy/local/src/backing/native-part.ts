import { readFile } from 'node:fs/promises';
import { startChild, type Child, type ChildCommand } from '../child.ts';
import { StartFailure } from '../errors.ts';
import { lastLines } from '../programs.ts';
import { waitUntil } from '../wait.ts';
import type { Part } from './part.ts';

type NativeProgram = ChildCommand & { name: string; url: string; isReady(): Promise<boolean> };

const LIMIT_MS = 60_000;

const failure = async ({ name, logFile }: NativeProgram, child: Child): Promise<StartFailure> => {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const how = child.hasExited() ? `ended with ${await child.exited}` : 'was not ready within a minute';
  return new StartFailure(`${name} ${how}. Its last lines (${logFile}):\n${lastLines(log, 10)}`);
};

/** A server that runs as our own child; resolves when it answers, else nothing of it is left. */
export const startNativePart = async (program: NativeProgram): Promise<Part> => {
  let child: Child | null = null;
  const start = async (): Promise<void> => {
    if (child && !child.hasExited()) return;
    const started = startChild(program);
    child = started;
    if (await waitUntil(program.isReady, { limitMs: LIMIT_MS, give: started.hasExited })) return;
    const error = await failure(program, started);
    await started.stop(2_000);
    throw error;
  };
  const stop = async (): Promise<void> => {
    await child?.stop();
  };
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await child?.exited;
  };
  await start();
  return { url: program.url, start, stop, kill };
};
