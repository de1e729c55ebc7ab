import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../src/testing/until.ts';

const RUN = join(import.meta.dirname, '../src/process/lifecycle.ts');
const CONFIG = join(import.meta.dirname, '../src/process/config.ts');

type Ended = { code: number | null; out: string; err: string };

/** Runs a process whose `start` is `body`; with `onText`, sends a signal once that text is printed. */
const runScript = async (body: string, onText?: { text: string; signal: NodeJS.Signals }): Promise<Ended> => {
  const script = `import { run } from ${JSON.stringify(RUN)}; import { ConfigError } from ${JSON.stringify(CONFIG)};
    run('thing', { env: process.env, start: async (lifecycle) => { ${body} } });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (ended.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (ended.err += text.toString()));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (onText) {
    await until(onText.text, () => ended.out.includes(onText.text), 20_000);
    child.kill(onText.signal);
  }
  ended.code = await closed;
  return ended;
};

const STAY = 'setInterval(() => undefined, 1000);';

it.each(['SIGTERM', 'SIGINT'] as const)(
  'B12 on %s parts stop in reverse order, and the exit code is 0',
  async (signal) => {
    const { code, out } = await runScript(
      `${STAY} for (const what of ['database', 'http']) lifecycle.onStop(what, () => console.log('stopped ' + what));`,
      { text: '"started"', signal },
    );
    expect(code).toBe(0);
    expect(out.match(/stopped \w+/g)).toEqual(['stopped http', 'stopped database']);
  },
);

it.runIf(platform === 'linux')('an idle process with timers of a millisecond wakes seldom', async () => {
  const { out } = await runScript(
    `let wakes = 0; const again = () => { wakes += 1; setTimeout(again, 1); }; again();
     setTimeout(() => { console.log('wakes ' + wakes); process.exit(0); }, 2_000);`,
  );
  expect(Number(/wakes (\d+)/.exec(out)?.[1])).toBeLessThan(500); // without joined timers some 1,700
});

it('B12 a part that fails to stop does not prevent the others from stopping', async () => {
  const { code, out } = await runScript(
    `${STAY} lifecycle.onStop('database', () => console.log('stopped database'));
     lifecycle.onStop('http', () => { throw new Error('stuck'); });`,
    { text: '"started"', signal: 'SIGTERM' },
  );
  expect(code).toBe(0);
  expect(out).toContain('stopped database');
  expect(out).toContain('part not stopped cleanly');
});

it.each([
  ['an unhandled rejection', "void Promise.reject(new Error('lost'));"],
  ['an uncaught exception', "setTimeout(() => { throw new Error('lost'); });"],
  ['a part that fails', "lifecycle.fail('lost');"],
  ['a start that fails', "throw new Error('lost');"],
])('K4 %s is logged once and ends the process with exit code 1, after its parts', async (_, body) => {
  const { code, out } = await runScript(
    `${STAY} lifecycle.onStop('http', () => console.log('stopped http')); ${body}`,
  );
  expect(code).toBe(1);
  expect(out.match(/"level":"fatal"/g)).toHaveLength(1);
  expect(out).toContain('lost');
  expect(out).toContain('stopped http');
});

it('A11 an incomplete configuration ends the process with one sentence and exit code 1', async () => {
  const { code, out, err } = await runScript("throw new ConfigError('cannot start: missing PORT');");
  expect([code, out, err]).toEqual([1, '', 'thing cannot start: missing PORT\n']);
});
