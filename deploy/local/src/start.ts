import { environment } from './config.ts';
import { StartFailure } from './errors.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE } from './local-files.ts';
import { isPortFree } from './ports.ts';
import { portsFromBase } from './processes.ts';
import { findRunning, markRunning } from './running-mark.ts';
import { startSystem, type System } from './system.ts';
import { complain, tell } from './tell.ts';
import { waitUntil } from './wait.ts';
import { serveWebSources } from './web-dev.ts';

const DEFAULT_BASE = 5000;
const HIGHEST_BASE = 65_000;

const readBase = (): number => {
  const base = Number(environment().PORT || DEFAULT_BASE);
  if (Number.isInteger(base) && base >= 1024 && base <= HIGHEST_BASE) return base;
  throw new StartFailure(
    `PORT must be a whole number from 1024 to ${HIGHEST_BASE}, as in: make start PORT=6000`,
  );
};

const findTaken = async (ports: number[]): Promise<number | null> => {
  for (const port of ports) if (!(await isPortFree(port))) return port;
  return null;
};

// After a start that was killed its processes may need a moment to end.
const MOMENT_MS = 3_000;

const requirePorts = async (base: number): Promise<void> => {
  const ports = Object.values(portsFromBase(base));
  const free = async (): Promise<boolean> => (await findTaken(ports)) === null;
  if (await waitUntil(free, { limitMs: MOMENT_MS, everyMs: 500 })) return;
  const taken = await findTaken(ports);
  throw new StartFailure(
    `Port ${taken} is in use by another program; end that one, or choose other ports: make start PORT=${base + 1000}`,
  );
};

const refuseSecond = (): void => {
  const running = findRunning(RUNNING_FILE);
  if (!running) return;
  throw new StartFailure(
    `Shortlist is already running from this folder, on port ${running.base} (process ${running.pid}).`,
  );
};

type Ending = { signal: AbortSignal; asked: Promise<void> };

// npm and make may go without telling us; their terminal or test harness with them.
const whenParentGoes = (then: () => void): void => {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && then(), 1_000).unref();
};

const listenForEnd = (): Ending => {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => {
    const end = (): void => {
      if (controller.signal.aborted) return;
      tell('Stopping …');
      controller.abort(new StartFailure('Stopped before everything was ready.'));
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    if (process.argv.includes('--follow-parent')) whenParentGoes(end);
  });
  return { signal: controller.signal, asked };
};

const announce = ({ publicUrl, sandboxUrl }: System, seconds: string): void => {
  tell('');
  tell(`Ready after ${seconds} s.`);
  tell(`  Shortlist           ${publicUrl}`);
  tell(`  Log in as admin     grep ADMIN_ .local/secrets.env`);
  tell(`  Payments and mail   ${sandboxUrl}  (local stand-ins; card 4242 4242 4242 4242)`);
  tell(`  Logs                .local/logs`);
  tell('Ctrl-C ends it all.');
};

const runUntilAsked = async (base: number, { signal, asked }: Ending): Promise<void> => {
  const begun = performance.now();
  const watch = process.argv.includes('--watch');
  const system = await startSystem({
    ...{ directory: LOCAL_DIRECTORY, base, purpose: 'run', restart: true, watch, signal, tell },
  });
  try {
    const web = watch ? await serveWebSources(REPOSITORY, system) : null;
    announce(system, ((performance.now() - begun) / 1000).toFixed(1));
    if (web) tell(`Sources are watched; pages that follow them are at ${web.url}`);
    await asked;
    await web?.child.stop();
  } finally {
    await system.stop();
  }
  tell('All stopped.');
};

const main = async (): Promise<number> => {
  const ending = listenForEnd();
  try {
    const base = readBase();
    refuseSecond();
    await requirePorts(base);
    const unmark = await markRunning(RUNNING_FILE, base);
    await runUntilAsked(base, ending).finally(unmark);
    return 0;
  } catch (error) {
    if (ending.signal.aborted) {
      tell('All stopped.');
      return 0;
    }
    complain(error instanceof StartFailure ? error.message : String((error as Error).stack ?? error));
    return 1;
  }
};

// Not left to the end of the loop: a signal handler or a socket may outlast us.
process.exit(await main());
