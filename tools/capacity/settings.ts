// What the Kubernetes chart, the packages and the price list set.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_DAYS, INBOX_DAYS } from '@shortlist/kit/messaging/bus';
import Joi from 'joi';
import { parse } from 'yaml';
import { type Deployment, SERVICES } from './capacity.rules.ts';
import type { Prices } from './cost.rules.ts';

const CHART_VALUES = join(import.meta.dirname, '../../deploy/k8s/values.yaml');
const PRICES = join(import.meta.dirname, 'prices.json');

type Workload = { resources?: { limits?: { memory?: string } } };
type ChartValues = {
  workloads: Record<string, Workload> & { default: Workload & { replicas: number; databasePool: number } };
  databaseConnections: number;
};

const bytesOf = (memory: string): number => {
  const [, count, unit] = /^(\d+)(Mi|Gi)$/.exec(memory) ?? [];
  if (count === undefined) throw new Error(`${CHART_VALUES}: a memory limit is '${memory}', not in Mi or Gi`);
  return Number(count) * 1024 ** (unit === 'Gi' ? 3 : 2);
};

/** Reads the settings on which a plan depends. */
export const readDeployment = async (): Promise<Deployment> => {
  const { workloads, databaseConnections } = parse(await readFile(CHART_VALUES, 'utf8')) as ChartValues;
  const limitOf = (name: string): string =>
    workloads[name]?.resources?.limits?.memory ?? workloads.default.resources?.limits?.memory ?? '';
  return {
    replicas: workloads.default.replicas,
    memoryLimitBytes: Object.fromEntries(
      SERVICES.map((service) => [service, bytesOf(limitOf(service))]),
    ) as Deployment['memoryLimitBytes'],
    databasePool: workloads.default.databasePool,
    databaseConnections,
    eventDays: EVENT_DAYS,
    inboxDays: INBOX_DAYS,
  };
};

const price = Joi.number().min(0).required();
const copies = Joi.number().integer().min(1).required();
const priceList = Joi.object<Prices>({
  note: Joi.string().required(),
  currency: Joi.string().length(3).uppercase().required(),
  hoursPerMonth: Joi.number().min(1).max(744).required(),
  perCoreHour: price,
  perMemoryGigabyteHour: price,
  perDatabaseGigabyteMonth: price,
  perKafkaGigabyteMonth: price,
  perThousandMails: price,
  databaseCopies: copies,
  redisCopies: copies,
  kafkaCopies: copies,
});

/** Reads the price list. Throws when it is incomplete or has an unknown entry. */
export const readPrices = async (): Promise<Prices> =>
  Joi.attempt(JSON.parse(await readFile(PRICES, 'utf8')), priceList, 'tools/capacity/prices.json: ');
