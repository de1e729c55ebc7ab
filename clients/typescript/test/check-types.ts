// Prints what is wrong with the types of a packed package. It is a program of its own, because under Vitest's conditions the checker is
// resolved to its sources.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

const result = await checkPackage(
  createPackageFromTarballData(new Uint8Array(readFileSync(process.argv[2] ?? ''))),
);
process.stdout.write(JSON.stringify(result.types ? result.problems : ['the package has no types']));
