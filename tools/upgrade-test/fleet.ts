// The product as it is during an update: processes of two releases behind addresses that stay.
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '@shortlist/contracts/durations';
import { REPOSITORY } from '@shortlist/local/host/config';
import {
  type Installation,
  type StartedBeside,
  startSystem,
  type System,
  WITHOUT_LIMITS,
} from '@shortlist/local/system';
import { SERVICES } from '@shortlist/local/system/databases';
import { type ImageName, IMAGES } from '@shortlist/local/system/processes';
import { type Front, startFront } from './front.ts';
import type { Release } from './release.ts';

export type Side = 'old' | 'new';

export type Fleet = {
  /** What clients and `verify` use. */
  installation: Installation;
  system: System;
  /** Migrates the databases to the schema of the new release. */
  migrate: () => Promise<void>;
  /** Replaces a process as a rolling update does: the other one starts, both serve for a while, and the first one ends. */
  replace: (name: ImageName, side: Side) => Promise<void>;
  stop: () => Promise<void>;
};

/** How long both processes of a name serve. */
const BOTH_MS = seconds(4);

/** As in the chart: longer than a caller keeps an idle connection, which would otherwise close on a request. */
const DRAIN_SECONDS = '5';

const byImage = <Value>(valueOf: (name: ImageName) => Value): Record<ImageName, Value> =>
  Object.fromEntries(IMAGES.map((name) => [name, valueOf(name)])) as Record<ImageName, Value>;

/** The variables that lead processes to the fronts instead of to each other. */
const environmentOf = (fronts: Record<ImageName, Front>) => {
  const urlOf = (name: ImageName): string => `http://127.0.0.1:${fronts[name].port}`;
  const publicUrl = `http://localhost:${fronts.bff.port}`;
  const stripeWebhook = `${urlOf('billing')}/webhooks/stripe`;
  const urls = SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)] as const);
  const common = { ...Object.fromEntries(urls), PUBLIC_URL: publicUrl, DRAIN_SECONDS };
  const env = {
    ...byImage(() => common),
    billing: { ...common, STRIPE_WEBHOOK_URL: stripeWebhook },
    bff: { ...common, ...WITHOUT_LIMITS },
    sandbox: { WEBHOOK_URL: stripeWebhook, MAIL_EVENTS_URL: `${urlOf('worker')}/webhooks/sendgrid` },
  };
  return { env, publicUrl, billingUrl: urlOf('billing') };
};

const portOf = (url: string): number => Number(new URL(url).port);

const startOn = async (
  fronts: Record<ImageName, Front>,
  old: Release,
): Promise<Omit<Fleet, 'stop'> & { system: System }> => {
  const { env, publicUrl, billingUrl } = environmentOf(fronts);
  const system = await startSystem({ inMemory: true, roots: byImage(() => old.root), env });
  const running: Record<ImageName, StartedBeside> = byImage((name) => ({
    process: system.process(name),
    port: portOf(system.urls[name]),
  }));
  for (const name of IMAGES) fronts[name].direct([running[name].port]);
  let started = 0;
  return {
    system,
    installation: { ...system, publicUrl, urls: { billing: billingUrl } },
    migrate: async () => {
      for (const name of SERVICES) await system.operate(name, ['migrate'], REPOSITORY);
    },
    replace: async (name, side) => {
      const label = `${(started += 1)}-${side}`;
      const next = await system.startBeside(name, { root: side === 'old' ? old.root : REPOSITORY, label });
      const before = running[name];
      running[name] = next;
      fronts[name].direct([before.port, next.port]);
      await sleep(BOTH_MS);
      fronts[name].direct([next.port]);
      await before.process.stop();
    },
  };
};

/** Starts the old release. The sandbox, which stands for companies outside, is always the one of the new release. */
export const startFleet = async (old: Release): Promise<Fleet> => {
  const opened = await Promise.all(IMAGES.map(async (name) => [name, await startFront()] as const));
  const fronts = Object.fromEntries(opened) as Record<ImageName, Front>;
  const close = async (): Promise<void> => {
    for (const name of IMAGES) await fronts[name].close();
  };
  try {
    const fleet = await startOn(fronts, old);
    const stop = async (): Promise<void> => {
      await fleet.system.stop();
      await close();
    };
    return { ...fleet, stop };
  } catch (error) {
    await close();
    throw error;
  }
};
