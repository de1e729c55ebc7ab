// Writes the types of the client library from the description of the API; with --check it fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';

const DESCRIPTION = join(import.meta.dirname, '../../bff/openapi.json');
const FILE = join(import.meta.dirname, '../../clients/typescript/src/api-schema.ts');

const schema = await openapiTypescript(readFileSync(DESCRIPTION, 'utf8'));
const text = `// Written by \`make docs\` from bff/openapi.json.\n${astToString(schema)}`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('clients/typescript/src/api-schema.ts is stale: run `make docs`\n');
  process.exitCode = 1;
}
