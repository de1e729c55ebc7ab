import { once } from 'node:events';
import { environment, LOCAL_DIRECTORY } from './host/config.ts';
import { messageOf, print, printError, StartError } from './host/messages.ts';
import { requireFreePorts } from './host/ports.ts';
import { findRunning, writePidFile } from './host/running.ts';
import { processPorts, readBasePort, WEB_DEV_OFFSET } from './system/ports.ts';
import { pollsEvents, usesSandbox } from './system/processes.ts';
import { startSystem, type System } from './system/system.ts';
import { startWebDev } from './system/web.ts';

const listenForStop = (): AbortSignal => {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) return;
    print('Stopping …');
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // npm and make may end without a signal to this process, as their terminal or test harness does.
  const parent = process.ppid;
  if (process.argv.includes('--follow-parent'))
    setInterval(() => process.ppid !== parent && stop(), 1_000).unref();
  return controller.signal;
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

const printAddresses = ({ publicUrl, sandboxUrl }: System): void => {
  print('');
  print(`Ready after ${(performance.now() / 1000).toFixed(1)} s.`);
  print(`  Shortlist           ${publicUrl}`);
  print('  Log in as admin     grep ADMIN_ .local/secrets.env');
  for (const line of paymentLines(environment(), sandboxUrl)) print(line);
  print('  Logs                .local/logs');
  print('Press Ctrl-C to stop.');
};

const run = async (base: number, watch: boolean, signal: AbortSignal): Promise<void> => {
  const system = await startSystem({ directory: LOCAL_DIRECTORY, base, restart: true, watch, signal, print });
  try {
    const port = base + WEB_DEV_OFFSET;
    const web = watch ? await startWebDev({ port, bffUrl: system.publicUrl, print, signal }) : null;
    printAddresses(system);
    if (web)
      print(`Processes restart when their sources change; pages with hot reload: http://localhost:${port}`);
    if (!signal.aborted) await once(signal, 'abort');
    await web?.stop();
  } finally {
    await system.stop();
  }
};

const start = async (signal: AbortSignal): Promise<void> => {
  const base = readBasePort(environment().PORT);
  const running = findRunning();
  if (running)
    throw new StartError(
      `Shortlist is already running from this folder, on port ${running.base} (process ${running.pid}).`,
    );
  await requireFreePorts(processPorts(base));
  const removePidFile = await writePidFile(base);
  try {
    await run(base, process.argv.includes('--watch'), signal);
  } finally {
    await removePidFile();
  }
};

/** Prints what `make doctor` finds in the way of a start. */
const printCauses = async (): Promise<void> => {
  const { diagnose } = await import('./doctor/diagnose.ts');
  const { lineOf } = await import('./doctor/finding.ts');
  for (const finding of await diagnose()) if (finding.level === 'problem') printError(lineOf(finding));
  printError('`make doctor` shows everything that a start needs.');
};

const main = async (): Promise<number> => {
  const signal = listenForStop();
  try {
    await start(signal);
  } catch (error) {
    if (!signal.aborted) {
      printError(error instanceof StartError ? error.message : ((error as Error).stack ?? messageOf(error)));
      await Promise.race([
        printCauses().catch((cause: unknown) => printError(messageOf(cause))),
        once(signal, 'abort'),
      ]);
      return 1;
    }
  }
  print('All stopped.');
  return 0;
};

// A signal handler or a socket may keep the event loop alive.
process.exit(await main());
