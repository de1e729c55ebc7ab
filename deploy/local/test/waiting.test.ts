import { appendFileSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@shortlist/kit/testing/until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Child, startChild } from '../src/host/child.ts';
import { readCpuTimes } from '../src/waiting/cpu-time.ts';
import { withFileLock } from '../src/waiting/file-lock.ts';
import { findLogProblem, lastLogMessage } from '../src/waiting/log-problem.ts';
import { runProgram } from '../src/waiting/run-program.ts';
import { waitForReady, type WaitTarget } from '../src/waiting/wait-for-ready.ts';

let directory: string;
let logFile: string;
let child: Child;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-waiting-'));
  logFile = join(directory, 'program.log');
  child = startChild({ command: 'sleep', args: ['60'], logFile });
});
afterEach(async () => {
  await child.stop();
  await rm(directory, { recursive: true, force: true });
});

const LIMITS = { limitMs: 20_000, idleLimitMs: 1_000, reportEveryMs: 100 };

describe('waiting for a process', () => {
  let now = 0;
  // A clock that only the checks advance: a slow machine must not look like a process without activity.
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void vi.restoreAllMocks());

  /** A target that is ready after some time, which passes with each check. */
  const readyAfter = (ms: number, reason = () => 'not listening yet'): WaitTarget => {
    const check = (): Promise<string | null> => {
      now += 300;
      return Promise.resolve(now > ms ? null : reason());
    };
    return { name: 'program', check, child };
  };

  it('ends at the idle limit when nothing moves', async () => {
    await expect(waitForReady([readyAfter(10_000)], { limits: LIMITS })).rejects.toThrow(
      /^program is not ready and has shown no activity for 1 s: not listening yet\. Its log: \S+\/program\.log$/,
    );
  });

  it('goes on beyond the idle limit while the log grows', async () => {
    const withLog = (): string => {
      appendFileSync(logFile, 'step\n');
      return 'not listening yet';
    };
    await waitForReady([readyAfter(2_500, withLog)], { limits: LIMITS });
  });

  it('goes on beyond the idle limit while the reason changes', async () => {
    let step = 0;
    await waitForReady([readyAfter(2_500, () => `migration ${(step += 1)}`)], { limits: LIMITS });
  });

  it('goes on while another process that is not ready moves', async () => {
    let step = 0;
    const moving = readyAfter(2_500, () => `migration ${(step += 1)}`);
    await waitForReady([readyAfter(2_500), { ...moving, name: 'other' }], { limits: LIMITS });
  });

  it('ends at the hard limit although something moves, and quotes the last problem in the log', async () => {
    let step = 0;
    await writeFile(logFile, '{"level":"warn","msg":"not connected","err":{"message":"ECONNREFUSED"}}\n');
    const moving = readyAfter(30_000, () => `attempt ${(step += 1) > 0}`);
    const limits = { limitMs: 600, idleLimitMs: 10_000 };
    await expect(waitForReady([moving], { limits })).rejects.toThrow(
      /^program is not ready after 1 s: attempt true; last error in its log: not connected: ECONNREFUSED\. Its log: /,
    );
  });

  it('ends at once when the process ends', async () => {
    child.kill('SIGKILL');
    await expect(waitForReady([readyAfter(10_000)], { limits: LIMITS })).rejects.toThrow(
      /^program ended before it was ready \(SIGKILL\): it wrote no log\. Its log: /,
    );
  });

  it('prints one line per reason', async () => {
    const printed: string[] = [];
    const other = { ...readyAfter(3_500), name: 'other' };
    const targets = [readyAfter(3_500), other, { ...readyAfter(3_500, () => 'loading'), name: 'third' }];
    const limits = { ...LIMITS, idleLimitMs: 10_000, reportEveryMs: 1_000 };
    await waitForReady(targets, { limits, print: (line) => printed.push(line) });
    expect(new Set(printed.map((line) => line.replace(/ \(\d s\)$/, '')))).toEqual(
      new Set(['Waiting for program, other: not listening yet', 'Waiting for third: loading']),
    );
  });

  it('ends when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(waitForReady([readyAfter(10_000)], { signal })).rejects.toThrow('cancelled');
  });

  it('counts the CPU time of a process and its children as activity', async () => {
    const busy = startChild({ command: '/bin/sh', args: ['-c', 'while :; do :; done'], logFile });
    const cpuTimes = async (pid: number): Promise<string> => (await readCpuTimes())(pid);
    const before = await cpuTimes(busy.pid);
    expect(before).not.toBe('');
    await until('the CPU time to grow', async () => (await cpuTimes(busy.pid)) !== before);
    busy.kill('SIGKILL');
  });
});

describe('running a program', () => {
  const shell = (script: string) => ({
    name: 'the build',
    command: '/bin/sh',
    args: ['-c', script],
    logFile,
  });

  it('resolves when the program succeeds', async () => {
    await runProgram(shell('exit 0'));
  });

  it('names the cause in one sentence when the program fails', async () => {
    const failing = runProgram(shell('echo step; echo "Error: no such file"; echo "    at main"; exit 3'));
    await expect(failing).rejects.toThrow(
      /^The build failed \(exit code 3\): Error: no such file\. Its log: \S+\/program\.log$/,
    );
  });

  it('stops a program that hangs', async () => {
    const hanging = runProgram(shell('echo reading; sleep 60'), { limits: LIMITS });
    await expect(hanging).rejects.toThrow(
      /^The build is not ready and has shown no activity for 1 s: still running\. Its log: /,
    );
  });
});

describe('a lock between clones', () => {
  beforeEach(() => void vi.stubEnv('XDG_CACHE_HOME', directory));
  afterEach(() => void vi.unstubAllEnvs());
  const lockFile = (): string => join(directory, 'shortlist/download.lock');
  const noPrint = (): void => undefined;

  it('admits one at a time', async () => {
    const steps: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      steps.push(`${name} begins`);
      await sleep(200);
      steps.push(`${name} ends`);
    };
    await Promise.all(['a', 'b'].map((name) => withFileLock('download', noPrint, work(name))));
    expect(steps.map((step) => step.slice(2))).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('is taken over from a dead process', async () => {
    await mkdir(join(directory, 'shortlist'));
    await writeFile(lockFile(), '4194999');
    expect(await withFileLock('download', noPrint, () => Promise.resolve('done'))).toBe('done');
    expect(existsSync(lockFile())).toBe(false);
  });
});

describe('the problem in a log', () => {
  it('is the message and the error of the last warning or error among JSON lines', () => {
    const log = [
      '{"level":"error","msg":"could not start","err":{"message":"","code":"ECONNREFUSED"}}',
      '{"level":"info","msg":"stopped"}',
    ].join('\n');
    expect(findLogProblem(log)).toBe('could not start: ECONNREFUSED');
  });

  it('is the error itself in the output of a crash, not its stack', () => {
    const log =
      'file:///main.ts:1\nthrow new Error("x")\n\nTypeError: x is not a function\n    at main\n\nNode.js v24';
    expect(findLogProblem(log)).toBe('TypeError: x is not a function');
  });

  it('is empty without one, and then the last line is the state', () => {
    expect(findLogProblem('ready to accept connections\n')).toBe('');
    expect(lastLogMessage('{"level":"info","msg":"started"}\n')).toBe('started');
  });

  it('is cut to one line of text', () => {
    expect(findLogProblem(`Error: ${'x'.repeat(5_000)}`).length).toBeLessThan(310);
  });
});
