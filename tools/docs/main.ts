// make docs: writes the generated files; with --check it fails when one of them is stale.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { endpointsPage } from './endpoints.ts';
import { eventsPage } from './events.ts';
import { metricsPage } from './metrics.ts';
import { apiDescription } from './openapi.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAILS = 'services/worker/src/mail';

/** The types of the client library. */
const clientTypes = async (): Promise<string> =>
  `// Written by \`make docs\` from bff/openapi.json.\n${astToString(await openapiTypescript(apiDescription))}`;

const mailLayout = (): string =>
  execFileSync(
    'mjml',
    [join(MAILS, 'layout.mjml'), '--stdout', '--noStdoutFileComment', '--config.validationLevel', 'strict'],
    { cwd: ROOT, encoding: 'utf8' },
  );

const generated = {
  'docs/events.md': eventsPage,
  'docs/metrics.md': metricsPage,
  'docs/endpoints.md': endpointsPage,
  'bff/openapi.json': apiDescription,
  'clients/typescript/src/api-schema.ts': await clientTypes(),
  [join(MAILS, 'layout.html')]: mailLayout(),
};

for (const [path, text] of Object.entries(generated)) {
  const file = join(ROOT, path);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${path} is stale: run \`make docs\`\n`);
    process.exitCode = 1;
  }
}
