// Processes behind addresses that stay, as Deployments behind Services: the next process of each is ready before the former ends.
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { REPOSITORY } from '@shortlist/local/host/config';
import { findFreePorts } from '@shortlist/local/host/ports';
import { runProgram, waitForReady } from '@shortlist/local/host/wait';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { type ImageName, IMAGES, operatorScript, type ProcessPlan } from '@shortlist/local/system/processes';
import { supervise, type SupervisedProcess } from '@shortlist/local/system/supervisor';

type Environment = Readonly<Record<string, string>>;
type Front = { url: string; passTo: (url: string) => void; close: () => void };

/** An address whose connections go to a process. */
const openFront = async (): Promise<Front> => {
  let target: URL | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (target === null) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    const both = [client, upstream];
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', () => both.forEach((one) => void one.destroy()));
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    passTo: (url) => void (target = new URL(url)),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const byImage = <Value>(valueOf: (name: ImageName) => Value): Record<ImageName, Value> =>
  Object.fromEntries(IMAGES.map((name) => [name, valueOf(name)])) as Record<ImageName, Value>;

/** How long a process still serves after its successor has taken over. */
const DRAIN_SECONDS = '1';

/** Where processes call each other, and webhooks and users call them. */
const addresses = (fronts: Record<ImageName, Front>) => {
  const services = IMAGES.filter((name) => name !== 'bff');
  const common = {
    ...Object.fromEntries(services.map((name) => [`${name.toUpperCase()}_URL`, fronts[name].url])),
    PUBLIC_URL: fronts.bff.url,
    DRAIN_SECONDS,
  };
  const webhook = `${fronts.billing.url}/webhooks/stripe`;
  return {
    ...byImage(() => common),
    bff: { ...common, ...WITHOUT_LIMITS },
    billing: { ...common, STRIPE_WEBHOOK_URL: webhook },
    sandbox: { WEBHOOK_URL: webhook, MAIL_EVENTS_URL: `${fronts.worker.url}/webhooks/sendgrid` },
  };
};

export type Deployment = {
  system: System;
  /** Starts the next process of each image with these variables, of those that it reads, and then ends the former. */
  rollOut: (change: (env: Environment) => Environment) => Promise<void>;
  /** Runs a command of the operator program with the present variables of the image. Returns the file of its output. */
  operate: (name: ImageName, args: string[]) => Promise<string>;
  stop: () => Promise<void>;
};

type Running = { plan: ProcessPlan; process: SupervisedProcess };

/** Starts the next process of a plan, with other variables and a log of its own. */
const startNext = async (plan: ProcessPlan, env: Environment, logDirectory: string): Promise<Running> => {
  const next = { ...plan, operatorPort: Number(env['OPS_PORT']), env: { ...plan.env, ...env } };
  const options = { logDirectory, cwd: REPOSITORY, print: () => undefined, watch: false };
  const process = supervise(next, options);
  process.start();
  await waitForReady([process.waitTarget()]);
  return { plan: next, process };
};

/** Starts the whole product behind addresses that stay. */
export const deploy = async (): Promise<Deployment> => {
  const opened = await Promise.all(IMAGES.map(async (name) => [name, await openFront()] as const));
  const fronts = Object.fromEntries(opened) as Record<ImageName, Front>;
  const started = await startSystem({ inMemory: true, env: addresses(fronts) });
  const running = byImage((name): Running => {
    const process = started.process(name);
    return { plan: process.plan, process };
  });
  for (const name of IMAGES) fronts[name].passTo(started.urls[name]);
  let rollouts = 0;

  const replace = async (name: ImageName, env: Environment, logDirectory: string): Promise<void> => {
    const former = running[name];
    running[name] = await startNext(former.plan, env, logDirectory);
    fronts[name].passTo(`http://127.0.0.1:${running[name].plan.env['PORT']}`);
    await former.process.stop();
  };
  return {
    system: {
      ...started,
      publicUrl: fronts.bff.url,
      urls: { ...started.urls, ...byImage((name) => fronts[name].url) },
    },
    rollOut: async (change) => {
      rollouts += 1;
      const logDirectory = join(started.directory, `logs/${rollouts}`);
      await mkdir(logDirectory);
      const free = await findFreePorts(2 * IMAGES.length);
      await Promise.all(
        IMAGES.map((name) => {
          const ports = { PORT: String(free.pop()), OPS_PORT: String(free.pop()) };
          return replace(name, { ...change(running[name].plan.env as Environment), ...ports }, logDirectory);
        }),
      );
    },
    operate: async (name, args) => {
      const logFile = join(started.directory, `logs/${name}-${args.join('-')}.log`);
      const script = join(REPOSITORY, operatorScript(name));
      const program = { name: args.join(' '), command: process.execPath, args: [script, ...args], logFile };
      await runProgram({ ...program, env: running[name].plan.env, cwd: REPOSITORY });
      return logFile;
    },
    stop: async () => {
      await Promise.all(Object.values(running).map(({ process }) => process.stop()));
      for (const front of Object.values(fronts)) front.close();
      await started.stop();
    },
  };
};
