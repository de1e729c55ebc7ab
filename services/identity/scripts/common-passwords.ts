// Builds the filter of common passwords from a list in the order of frequency: node services/identity/scripts/common-passwords.ts <list>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { guessedForm, passwordLength } from '@shortlist/contracts/password.rules';
import { buildFilter } from '../src/passwords.ts';

const COUNT = 100_000;
const TARGET = join(import.meta.dirname, '../../../packages/contracts/src/common-passwords.bloom');

const [, , list = ''] = process.argv;
// Shorter ones cannot be chosen.
const usable = readFileSync(list, 'utf8')
  .split(/\r?\n/)
  .filter((password) => passwordLength(password) >= PASSWORD_MIN)
  .map(guessedForm);
const common = [...new Set(usable)].slice(0, COUNT);
writeFileSync(TARGET, buildFilter(common));
process.stdout.write(`${common.length} passwords, the last one is ${common.at(-1)}\n`);
