// Preloaded into a process: shifts the clock by the milliseconds in `CLOCK_FILE`, for our code and all packages, as on a machine
// with a wrong clock. Timers and durations are not affected, as on such a machine.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env['CLOCK_FILE'] ?? '';
let offset = 0;

const readOffset = (): void => {
  try {
    offset = Number(readFileSync(file, 'utf8'));
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
