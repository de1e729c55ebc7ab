// Prints the modules of packages that only some processes need, as loaded by a process with the settings of the environment: OpenTelemetry's
// without its API, which prom-client loads, and the decompressors of Kafka's batches.
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load: (url, context, nextLoad) => {
    if (/@opentelemetry\/(?!api\/)|node_modules\/(snappy|lz4-napi)\//.test(url)) loaded.push(url);
    return nextLoad(url, context);
  },
});

const { loadConfig } = await import('../src/process/config.ts');
const { createLog } = await import('../src/process/log.ts');
const { createMetrics } = await import('../src/process/metrics.ts');
const { startTracing, tracingVariables } = await import('../src/process/tracing.ts');
await import('../src/service.ts');

await startTracing({
  name: 'test',
  lifecycle: { log: createLog('test', 'silent'), onStop: () => undefined },
  config: loadConfig(tracingVariables, process.env),
  metrics: createMetrics('test'),
});
process.stdout.write(JSON.stringify(loaded));
process.exit(0);
