import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Child, startChild } from '../src/host/child.ts';
import { findLogProblem } from '../src/host/messages.ts';
import { findFreePorts } from '../src/host/ports.ts';
import { findRunning, writePidFile } from '../src/host/running.ts';
import { checkHttp, runProgram, waitForReady, type WaitTarget } from '../src/host/wait.ts';

let directory: string;
let logFile: string;
let child: Child;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlist-host-'));
  logFile = join(directory, 'program.log');
  child = startChild({ command: 'sleep', args: ['60'], logFile });
});
afterEach(async () => {
  await child.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('waiting for a process', () => {
  let now = 0;
  // A clock that only the checks advance, so that no limit depends on the speed of the machine.
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void vi.restoreAllMocks());

  /** A target that is ready after this time, which passes with each check. */
  const readyAfter = (ms: number, reason = 'not listening yet'): WaitTarget => {
    const check = (): Promise<string | null> => {
      now += 3_000;
      return Promise.resolve(now > ms ? null : reason);
    };
    return { name: 'program', check, child };
  };

  it('ends at the time limit, and quotes the last problem in the log', async () => {
    await writeFile(logFile, '{"level":"warn","msg":"not connected","err":{"message":"ECONNREFUSED"}}\n');
    await expect(waitForReady([readyAfter(30_000)], { limitMs: 9_000 })).rejects.toThrow(
      /^Not ready after 9 s: program \(not listening yet; last error in its log: not connected: ECONNREFUSED\)\. Logs: \S+\/program\.log$/,
    );
  });

  it('ends at once when the process ends', async () => {
    child.kill('SIGKILL');
    await expect(waitForReady([readyAfter(Infinity)])).rejects.toThrow(
      /^program ended with SIGKILL before it was ready: its log reports no error\. Its log: /,
    );
  });

  it('prints what is not ready, with the reasons', async () => {
    const printed: string[] = [];
    const targets = [readyAfter(15_000), { ...readyAfter(15_000, 'loading'), name: 'other' }];
    await waitForReady(targets, { print: (line) => printed.push(line) });
    expect(printed[0]).toMatch(
      /^Waiting for program \(not listening yet\), other \(loading\), \d+ s so far$/,
    );
  });

  it('ends when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(waitForReady([readyAfter(Infinity)], { signal })).rejects.toThrow('cancelled');
  });
});

it('the check of an address returns what is not ready', async () => {
  let response = { status: 200, body: 'ok' };
  const server = createServer((_, reply) => reply.writeHead(response.status).end(response.body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await checkHttp(url)).toBeNull();
  response = { status: 503, body: '{"checks":{"database":"connect ECONNREFUSED","sessions":"ok"}}' };
  expect(await checkHttp(url)).toBe('database: connect ECONNREFUSED');
  response = { status: 500, body: 'oops' };
  expect(await checkHttp(url)).toBe('status 500');
  await new Promise((resolve) => server.close(resolve));
  expect(await checkHttp(url)).toBe('not listening yet');
});

describe('running a program', () => {
  const shell = (script: string) => ({ name: 'build', command: '/bin/sh', args: ['-c', script], logFile });

  it('resolves when the program succeeds', async () => {
    await runProgram(shell('exit 0'));
  });

  it('names the cause in one sentence when the program fails', async () => {
    const failing = runProgram(shell('echo step; echo "Error: no such file"; echo "    at main"; exit 3'));
    await expect(failing).rejects.toThrow(
      /^build failed with 3: Error: no such file\. Its log: \S+\/program\.log$/,
    );
  });

  it('stops a program that hangs', async () => {
    const hanging = runProgram(shell('echo reading; sleep 60'), { limitMs: 100 });
    await expect(hanging).rejects.toThrow(/^Not ready after \d s: build \(still running\)\. Logs: /);
  });
});

it('a program that ignores SIGTERM is killed after the grace time', async () => {
  const stubborn = startChild({
    command: '/bin/sh',
    args: ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'],
    logFile,
  });
  await vi.waitFor(() => expect(stubborn.log()).toBe('ready\n'), 20_000);
  await stubborn.stop(100);
  expect(stubborn.exit()).toBe('SIGKILL');
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

  it.each([
    '[2026-10-01 10:00:00,123] INFO [BrokerLifecycleManager id=1] The broker failed to register (kafka.server)',
    '[INFO] BUILD FAILURE: 1 error',
    '2026-10-01 10:00:00 0 [Note] InnoDB: Buffer pool errors: 0',
  ])('is the error before an informational line that mentions one: %s', (information) => {
    const error = '[2026-10-01 10:00:00,000] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)';
    expect(findLogProblem(`${error}\n${information}\n`)).toBe(error);
  });

  it('is the reason why a command of the operator program ended', () => {
    const reason = 'shortlist restored: This server is not the leader for that topic-partition';
    expect(findLogProblem(`Bringing identity up to date.\n${reason}\n`)).toBe(reason);
  });

  it('is empty without one', () => {
    expect(findLogProblem('ready to accept connections\n')).toBe('');
  });

  it('is cut to one line of text', () => {
    expect(findLogProblem(`Error: ${'x'.repeat(5_000)}`).length).toBeLessThan(310);
  });
});

describe('the pid file', () => {
  it('names the process that wrote it, until that one removes it', async () => {
    const file = join(directory, 'deeper/running.json');
    const remove = await writePidFile(7000, file);
    expect(findRunning(file)).toEqual({ pid: process.pid, base: 7000 });
    await remove();
    expect(findRunning(file)).toBeNull();
  });

  it('of a process that has ended counts for nothing', async () => {
    const file = join(directory, 'running.json');
    await child.stop();
    await writeFile(file, JSON.stringify({ pid: child.pid, base: 7000 }));
    expect(findRunning(file)).toBeNull();
  });
});

it('free ports that were chosen by calls one after the other and at the same time are all different', async () => {
  const chosen: number[] = [];
  for (let call = 0; call < 10; call += 1) chosen.push(...(await findFreePorts(8)));
  const together = await Promise.all(Array.from({ length: 10 }, () => findFreePorts(8)));
  chosen.push(...together.flat());
  expect(new Set(chosen).size).toBe(160);
});

const sliceOf = (port: number): number => Math.floor((port - 20_000) / 600);

it('free ports are chosen by another program from others, whatever its pid', async () => {
  const [port = 0] = await findFreePorts(1);
  const script = `
    Object.defineProperty(process, 'pid', { value: ${process.pid} });
    const { findFreePorts } = await import(${JSON.stringify(new URL('../src/host/ports.ts', import.meta.url).href)});
    console.log(...(await findFreePorts(100)));`;
  const args = ['--input-type=module', '--eval', script];
  const other = startChild({ command: process.execPath, args, logFile: join(directory, 'other.log') });
  expect(await other.exited, other.log()).toBe(0);
  const chosen = other.log().trim().split(' ').map(Number);
  expect(chosen).toHaveLength(100);
  expect(chosen.map(sliceOf)).not.toContain(sliceOf(port));
});
