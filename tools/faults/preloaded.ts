// Preloaded into a process: arms the fail points of FAIL_POINTS, which fire while the file FAIL_SWITCH exists, and shifts the clock by
// the milliseconds in CLOCK_FILE, for our code and all packages. Timers and durations are not affected, as on a machine with a wrong clock.
import { readFileSync } from 'node:fs';
import { armFailPoints } from '@shortlist/kit/testing/arm-fail-points';

const { FAIL_POINTS: points = '', FAIL_SEED: seed = '1', FAIL_SWITCH: switchFile = '' } = process.env;
armFailPoints({ points, seed: Number(seed) ^ process.pid, switchFile });

const RealDate = Date;
let offset = 0;

const readOffset = (): void => {
  try {
    offset = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'));
  } catch {
    offset = 0; // the clock has not been shifted yet
  }
};
readOffset();
setInterval(readOffset, 100).unref();

const now = (): number => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
});
