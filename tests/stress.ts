// make test-stress: runs the tests again and again while four other processes keep the processors busy. A test that depends on speed
// or on the order of others fails here first.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const BUSY_PROCESSES = 4;
const [runs = '20', ...part] = process.argv.slice(2);

/** Ends when this process does, since its standard input is closed then. */
const keepBusy = (): ChildProcess => {
  const program =
    "process.stdin.on('end', () => process.exit()).resume(); const spin = () => { const end = performance.now() + 50; while (performance.now() < end); setImmediate(spin); }; spin();";
  return spawn(process.execPath, ['--eval', program], { stdio: ['pipe', 'ignore', 'inherit'] });
};

const runOnce = async (): Promise<boolean> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...part], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
};

const busy = Array.from({ length: BUSY_PROCESSES }, keepBusy);
let passed = 0;
let failed = 0;
while (passed + failed < Number(runs)) {
  if (await runOnce()) passed += 1;
  else failed += 1;
  process.stdout.write(`runs under stress: ${passed} passed, ${failed} failed\n`);
}
for (const child of busy) child.kill();
process.exitCode = failed === 0 ? 0 : 1;
