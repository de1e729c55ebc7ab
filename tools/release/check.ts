// Fails if a place states another version than the package.json of the root, or if a package has a licence that is not on the list.
import { join } from 'node:path';
import { refusedLicences, shippedPackages } from './licences.ts';
import { differences } from './versions.ts';

const ROOT = join(import.meta.dirname, '../..');
const lines = [...differences(ROOT), ...refusedLicences(shippedPackages(ROOT))];
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
process.exitCode = lines.length > 0 ? 1 : 0;
