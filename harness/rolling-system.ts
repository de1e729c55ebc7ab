// The product behind addresses that stay while its processes are replaced, as Deployments behind Services.
import { setTimeout as sleep } from 'node:timers/promises';
import { REPOSITORY } from '@shortlist/local/host/config';
import { type StartedBeside, startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { SERVICES } from '@shortlist/local/system/databases';
import { type ImageName, IMAGES } from '@shortlist/local/system/processes';
import { type Front, startFront } from './front.ts';

type Environment = Readonly<Record<string, string>>;

type Options = {
  /** The repository of the processes at the start. The sandbox, which stands for companies outside, is always of this release. */
  root?: string;
  drainSeconds: number;
};

type Next = {
  /** The name of the folder of its log. */
  label: string;
  root?: string;
  /** Changes to the variables of the present process. */
  env?: Environment;
  /** How long both serve. */
  bothMs?: number;
};

export type RollingSystem = {
  /** With the addresses that stay. */
  system: System;
  /** The variables of the present process. */
  environmentOf: (name: ImageName) => Environment;
  /** Starts the next process, which is ready before the present one ends. */
  replace: (name: ImageName, next: Next) => Promise<void>;
};

const byImage = <Value>(valueOf: (name: ImageName) => Value): Record<ImageName, Value> =>
  Object.fromEntries(IMAGES.map((name) => [name, valueOf(name)])) as Record<ImageName, Value>;

/** The addresses that stay, and the variables that lead processes to them instead of to each other. */
const addressesOf = (fronts: Record<ImageName, Front>, drainSeconds: number) => {
  const urls = byImage((name) => `http://127.0.0.1:${fronts[name].port}`);
  const publicUrl = `http://localhost:${fronts.bff.port}`;
  const stripeWebhook = `${urls.billing}/webhooks/stripe`;
  const common = {
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urls[name]])),
    PUBLIC_URL: publicUrl,
    DRAIN_SECONDS: String(drainSeconds),
  };
  const env = {
    ...byImage(() => common),
    billing: { ...common, STRIPE_WEBHOOK_URL: stripeWebhook },
    bff: { ...common, ...WITHOUT_LIMITS },
    sandbox: { WEBHOOK_URL: stripeWebhook, MAIL_EVENTS_URL: `${urls.worker}/webhooks/sendgrid` },
  };
  return { urls, publicUrl, env };
};

const startBehind = async (
  fronts: Record<ImageName, Front>,
  { root = REPOSITORY, drainSeconds }: Options,
): Promise<RollingSystem> => {
  const { urls, publicUrl, env } = addressesOf(fronts, drainSeconds);
  const started = await startSystem({ inMemory: true, roots: byImage(() => root), env });
  const running = byImage((name): StartedBeside & { root: string; changed: Environment } => ({
    process: started.process(name),
    port: Number(new URL(started.urls[name]).port),
    root,
    changed: {},
  }));
  for (const name of IMAGES) fronts[name].direct([running[name].port]);
  return {
    system: {
      ...started,
      publicUrl,
      urls: { ...started.urls, ...urls },
      process: (name) => (name === 'sandbox' ? started.process(name) : running[name].process),
    },
    environmentOf: (name) => running[name].process.plan.env as Environment,
    replace: async (name, { label, env: changes = {}, bothMs = 0, ...next }) => {
      const before = running[name];
      const root = next.root ?? before.root;
      const changed = { ...before.changed, ...changes };
      const beside = await started.startBeside(name, { label, root, env: changed });
      running[name] = { ...beside, root, changed };
      fronts[name].direct([before.port, running[name].port]);
      await sleep(bothMs);
      fronts[name].direct([running[name].port]);
      await before.process.stop();
    },
  };
};

/** Starts the product behind addresses that stay. `stop` of its system closes them. */
export const startRollingSystem = async (options: Options): Promise<RollingSystem> => {
  const opened = await Promise.all(IMAGES.map(async (name) => [name, await startFront()] as const));
  const fronts = Object.fromEntries(opened) as Record<ImageName, Front>;
  const close = async (): Promise<void> => {
    for (const name of IMAGES) await fronts[name].close();
  };
  try {
    const { system, ...rolling } = await startBehind(fronts, options);
    const stop = async (): Promise<void> => {
      await system.stop();
      await close();
    };
    return { ...rolling, system: { ...system, stop } };
  } catch (error) {
    await close();
    throw error;
  }
};
