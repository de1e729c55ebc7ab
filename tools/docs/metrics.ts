// Writes docs/metrics.md from the declarations of the metrics; with --check it fails when the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CataloguedMetric, readCatalogue } from '../observability/catalogue.ts';

const PAGE = join(import.meta.dirname, '../../docs/metrics.md');

const HEAD = `# Metrics

Generated from the declarations (\`services/kit/src/process/declared-metrics.ts\` and \`metrics.ts\` of bff and of each service) by \`make docs\`;
edit them there. Every process serves its metrics on its operator port (\`OPS_PORT\`, path \`/metrics\`) as Prometheus text, each with the label
\`service\`. Processes also have the default metrics of prom-client: \`process_*\` (processor, memory, open files) and \`nodejs_*\` (event loop,
heap, garbage collection). A gauge that needs a query reads it when it is scraped. Rates of requests and errors come from
\`http_request_duration_seconds_count\`. Replicas of a service that read the same table or group report the same value: use \`max\`, not \`sum\`.

[The alerts](../deploy/k8s/observability/alerts.yaml) and [their runbooks](runbooks/README.md), and the dashboards in
\`deploy/k8s/observability/dashboards\`, use these names only; \`tests/checks/observability.test.ts\` compares them.

| metric | type | labels | processes | meaning |
| --- | --- | --- | --- | --- |
`;

const row = ({ name, type, labels, processes, help }: CataloguedMetric): string =>
  `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${processes} | ${help.replaceAll('|', '\\|')} |`;

const text = `${HEAD}${(await readCatalogue()).map(row).join('\n')}\n`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (readFileSync(PAGE, 'utf8') !== text) {
  process.stderr.write('docs/metrics.md is stale: run `make docs`\n');
  process.exitCode = 1;
}
