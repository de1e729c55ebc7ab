// Loaded into a process before its own code: the clock is off by as many milliseconds as `CLOCK_FILE` says, for our code and
// for every package alike, as on a machine whose clock is wrong. Timers and durations go on at their own pace, as they do there.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env['CLOCK_FILE'] ?? '';
let offset = 0;

const look = (): void => {
  try {
    offset = Number(readFileSync(file, 'utf8'));
  } catch {
    offset = 0; // nobody has touched this clock yet
  }
};
look();
setInterval(look, 100).unref();

const now = (): number => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
});
