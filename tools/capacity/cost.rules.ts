// What a plan costs a month by a price list: the cores of the peak with room, the memory that processes may use, and what is stored.
import { hours, inSeconds } from '@shortlist/contracts/durations';
import { type Deployment, type Plan, SERVICES, TARGET_UTILIZATION } from './capacity.rules.ts';

export type Prices = {
  note: string;
  currency: string;
  hoursPerMonth: number;
  perCoreHour: number;
  perMemoryGigabyteHour: number;
  perDatabaseGigabyteMonth: number;
  perKafkaGigabyteMonth: number;
  perThousandMails: number;
  /** Servers that have the same data. */
  databaseCopies: number;
  redisCopies: number;
  kafkaCopies: number;
};

/** In units of the currency, for a month. */
export type MonthlyCost = { cores: number; memory: number; storage: number; mails: number; total: number };

const GIGABYTE = 1024 ** 3;
const SECONDS_PER_HOUR = inSeconds(hours(1));
/** The heap and the page cache of one broker. */
const KAFKA_MEMORY_BYTES = 2 * GIGABYTE;
/** All workloads together fit two processors at rest (values.yaml of the chart). */
const CORES_MIN = 2;

/** Copies of the database, Redis and Kafka use as much processor time as the first. */
const provisionedCores = ({ cores }: Plan, prices: Prices): number => {
  const copiesOf: Record<string, number> = {
    MariaDB: prices.databaseCopies,
    Redis: prices.redisCopies,
    Kafka: prices.kafkaCopies,
  };
  const all = Object.entries(cores).reduce((sum, [name, count]) => sum + count * (copiesOf[name] ?? 1), 0);
  return Math.max(CORES_MIN, Math.ceil(all / TARGET_UTILIZATION));
};

const memoryBytes = (plan: Plan, prices: Prices, { memoryLimitBytes }: Deployment): number => {
  const ofRequests = SERVICES.reduce(
    (sum, service) => sum + plan.processes[service] * memoryLimitBytes[service],
    0,
  );
  const ofEvents = plan.eventProcesses * memoryLimitBytes.credits;
  const ofServers =
    plan.database.memoryBytes * prices.databaseCopies +
    plan.redis.memoryBytes * prices.redisCopies +
    KAFKA_MEMORY_BYTES * prices.kafkaCopies;
  return ofRequests + ofEvents + ofServers;
};

/** Returns the cost of a plan. Mails are those of an average hour, which the peak factor has multiplied in the plan. */
export const monthlyCost = (
  plan: Plan,
  { prices, deployment, peakFactor }: { prices: Prices; deployment: Deployment; peakFactor: number },
): MonthlyCost => {
  const { hoursPerMonth } = prices;
  const cores = provisionedCores(plan, prices) * prices.perCoreHour * hoursPerMonth;
  const gigabytes = memoryBytes(plan, prices, deployment) / GIGABYTE;
  const memory = gigabytes * prices.perMemoryGigabyteHour * hoursPerMonth;
  const storage =
    (plan.database.bytes / GIGABYTE) * prices.databaseCopies * prices.perDatabaseGigabyteMonth +
    (plan.kafka.storedBytes / GIGABYTE) * prices.kafkaCopies * prices.perKafkaGigabyteMonth;
  const mailsPerMonth = (plan.mailsPerSecond / peakFactor) * SECONDS_PER_HOUR * hoursPerMonth;
  const mails = (mailsPerMonth / 1_000) * prices.perThousandMails;
  return { cores, memory, storage, mails, total: cores + memory + storage + mails };
};
