import { environment } from './host/config.ts';
import { StartError } from './host/errors.ts';
import { print, printError } from './host/print.ts';
import { LOCAL_DIRECTORY, REPOSITORY, RUNNING_FILE } from './state/local-files.ts';
import { findRunning, writePidFile } from './state/pid-file.ts';
import { readBasePort, requireFreePorts } from './system/base-port.ts';
import { pollsEvents, usesSandbox } from './system/processes.ts';
import { startSystem, type System } from './system/system.ts';
import { startWebDev } from './system/web-dev.ts';

const refuseSecondStart = (): void => {
  const running = findRunning(RUNNING_FILE);
  if (!running) return;
  throw new StartError(
    `Shortlist is already running from this folder, on port ${running.base} (process ${running.pid}).`,
  );
};

type StopRequest = { signal: AbortSignal; requested: Promise<void> };

// npm and make may end without a signal to this process, as their terminal or test harness does.
const onParentExit = (handle: () => void): void => {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && handle(), 1_000).unref();
};

const listenForStop = (): StopRequest => {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = (): void => {
      if (controller.signal.aborted) return;
      print('Stopping …');
      controller.abort(new StartError('Stopped before everything was ready.'));
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (process.argv.includes('--follow-parent')) onParentExit(stop);
  });
  return { signal: controller.signal, requested };
};

const paymentLines = (env: NodeJS.ProcessEnv, sandboxUrl: string): string[] => {
  if (usesSandbox(env))
    return [`  Payments and mail   ${sandboxUrl}  (local sandbox; card 4242 4242 4242 4242)`];
  return [
    '  Payments            Stripe, with the key in STRIPE_SECRET_KEY; make stripe-check with it verifies the account',
    pollsEvents(env)
      ? '  Events              read from Stripe every few seconds, because its webhooks do not reach this machine'
      : '  Events              from webhooks (STRIPE_EVENTS=webhook)',
    `  Mail                ${sandboxUrl}  (local sandbox)`,
  ];
};

const printAddresses = ({ publicUrl, sandboxUrl }: System, seconds: string): void => {
  print('');
  print(`Ready after ${seconds} s.`);
  print(`  Shortlist           ${publicUrl}`);
  print(`  Log in as admin     grep ADMIN_ .local/secrets.env`);
  for (const line of paymentLines(environment(), sandboxUrl)) print(line);
  print(`  Logs                .local/logs`);
  print('Press Ctrl-C to stop.');
};

type RunOptions = StopRequest & { base: number; watch: boolean };

const runUntilStopped = async ({ base, watch, signal, requested }: RunOptions): Promise<void> => {
  const startedAt = performance.now();
  const system = await startSystem({
    ...{ directory: LOCAL_DIRECTORY, base, purpose: 'run', restart: true, watch, signal, print },
  });
  try {
    const web = watch ? await startWebDev(REPOSITORY, system, { print, signal }) : null;
    printAddresses(system, ((performance.now() - startedAt) / 1000).toFixed(1));
    if (web) print(`Processes restart when their sources change; pages with hot reload are at ${web.url}`);
    await requested;
    await web?.child.stop();
  } finally {
    await system.stop();
  }
  print('All stopped.');
};

const main = async (): Promise<number> => {
  const stopRequest = listenForStop();
  try {
    const watch = process.argv.includes('--watch');
    const base = readBasePort(environment().PORT, watch);
    refuseSecondStart();
    await requireFreePorts(base, watch);
    const removePidFile = await writePidFile(RUNNING_FILE, base);
    try {
      await runUntilStopped({ base, watch, ...stopRequest });
    } finally {
      await removePidFile();
    }
    return 0;
  } catch (error) {
    if (stopRequest.signal.aborted) {
      print('All stopped.');
      return 0;
    }
    printError(error instanceof StartError ? error.message : String((error as Error).stack ?? error));
    return 1;
  }
};

// A signal handler or a socket may keep the event loop alive.
process.exit(await main());
