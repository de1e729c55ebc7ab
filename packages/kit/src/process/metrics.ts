import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PACKAGE_VERSION } from './config.ts';
import {
  appInfo,
  eventsConsumed,
  httpSeconds,
  jobSeconds,
  type MetricDeclaration,
  relayFailures,
  relaySent,
} from './declared-metrics.ts';
import { withTimeout } from './clock.ts';

/** The values of a gauge, each with its labels. */
export type Samples<Label extends string> = readonly (readonly [Record<Label, string>, number])[];
type Read<T> = () => Promise<T>;

/** A value that takes longer is left out of the scrape. */
const READ_TIMEOUT_MS = 3_000;

const readOr = <T>(read: Read<T>, missing: T): Promise<T> =>
  withTimeout(read(), READ_TIMEOUT_MS, () => new Error('timed out')).catch(() => missing);

type GaugeOptions<Label extends string> = {
  name: string;
  help: string;
  registers: Registry[];
  labelNames: Label[];
};

const createGaugeBy = <Label extends string>(
  options: GaugeOptions<Label>,
  reads: readonly Read<Samples<Label>>[],
): Gauge<Label> =>
  new Gauge<Label>({
    ...options,
    async collect() {
      const samples = await Promise.all(reads.map((read) => readOr(read, [])));
      this.reset();
      for (const [labels, value] of samples.flat()) this.set(labels, value);
    },
  });

/**
 * The process's Prometheus metrics. Names follow the exposition format's conventions; times are in seconds. Each metric is declared in
 * `declared-metrics.ts` of kit or `metrics.ts` of its service, from which docs/metrics.md is generated.
 */
export const createMetrics = (service: string, version = PACKAGE_VERSION) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  // The default of 10 ms wakes an idle process a hundred times a second. The values include this interval.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  const optionsOf = <Label extends string>({ name, help, labels }: MetricDeclaration<Label>) => ({
    name,
    help,
    registers,
    labelNames: [...labels],
  });
  const counter = <Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label> =>
    new Counter<Label>(optionsOf(declaration));
  const histogram = <Label extends string>(declaration: MetricDeclaration<Label>): Histogram<Label> =>
    new Histogram<Label>({ ...optionsOf(declaration), buckets: [...(declaration.buckets ?? [])] });
  const gaugesBy = new Map<string, { reads: unknown[] }>();
  new Gauge({ ...optionsOf(appInfo) }).set({ version }, 1);
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    httpSeconds: histogram(httpSeconds),
    jobSeconds: histogram(jobSeconds),
    relaySent: counter(relaySent),
    relayFailures: counter(relayFailures),
    eventsConsumed: counter(eventsConsumed),
    counter,
    histogram,
    /** A gauge that is read when the metrics are scraped; NaN if reading it fails. */
    gauge: (declaration: MetricDeclaration<never>, read: Read<number>) =>
      new Gauge({
        ...optionsOf(declaration),
        async collect() {
          this.set(await readOr(read, Number.NaN));
        },
      }),
    /** A gauge with labels, read when the metrics are scraped; without values if that fails. Several parts of a process may each add values. */
    gaugeBy: <Label extends string>(
      declaration: MetricDeclaration<Label>,
      read: Read<Samples<Label>>,
    ): void => {
      const added = gaugesBy.get(declaration.name);
      if (added !== undefined) return void added.reads.push(read);
      const reads = [read];
      gaugesBy.set(declaration.name, { reads });
      createGaugeBy(optionsOf(declaration), reads);
    },
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
