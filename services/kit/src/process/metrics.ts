import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type LabeledValues = { label: string; read: () => Promise<readonly (readonly [string, number])[]> };

const createLabeledGauge = (
  options: { name: string; help: string; registers: Registry[] },
  { label, read }: LabeledValues,
) =>
  new Gauge({
    ...options,
    labelNames: [label],
    async collect() {
      this.reset();
      for (const [key, value] of await read().catch(() => [])) this.set({ [label]: key }, value);
    },
  });

/** The process's Prometheus metrics. Names follow the exposition format's conventions; times are in seconds. */
export const createMetrics = (service: string) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  // The default, 10 ms, wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    httpSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    relaySent: new Counter({ name: 'relay_sent_total', help: 'Events published', registers }),
    relayFailures: new Counter({
      name: 'relay_failures_total',
      help: 'Publishing attempts that failed',
      registers,
    }),
    eventsConsumed: new Counter({
      name: 'events_consumed_total',
      help: 'Events consumed, by type and outcome',
      labelNames: ['type', 'outcome'],
      registers,
    }),
    /** A gauge that is read when the metrics are; NaN when reading it fails. */
    gauge: (name: string, help: string, read: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read().catch(() => Number.NaN));
        },
      }),
    /** A gauge with one value per label, read when the metrics are; without values when reading them fails. */
    gaugeBy: (name: string, help: string, values: LabeledValues) =>
      createLabeledGauge({ name, help, registers }, values),
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
