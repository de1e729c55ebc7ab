// The measured inputs of the plan, which the benchmarks write with SAVE=yes.
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { dayOf } from '@shortlist/contracts/durations';
import type { CeilingName, Measured } from './capacity.rules.ts';

const FILE = join(import.meta.dirname, 'measured.json');

/** Whether benchmarks write what they measure into the file. */
export const isSaving = process.env.SAVE === 'yes';

export const readMeasured = async (): Promise<Measured> =>
  JSON.parse(await readFile(FILE, 'utf8')) as Measured;

const writeMeasured = (measured: Measured): Promise<void> =>
  writeFile(FILE, `${JSON.stringify(measured, null, 2)}\n`);

const originOf = (source: string) => ({
  measuredAt: dayOf(new Date()),
  machine: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.versions.node}`,
  source,
});

type Part = 'processor' | 'work' | 'sizes';
type Values<Name extends Part> = Omit<Measured[Name], 'measuredAt' | 'machine' | 'source'>;

/** Replaces one part of the file. `source` is the command that has measured it. */
export const savePart = async <Name extends Part>(
  name: Name,
  source: string,
  values: Values<Name>,
): Promise<void> => writeMeasured({ ...(await readMeasured()), [name]: { ...originOf(source), ...values } });

/** Replaces one ceiling if SAVE=yes. `source` is the command that has measured it. */
export const saveCeiling = async (name: CeilingName, source: string, value: number): Promise<void> => {
  if (!isSaving) return;
  const measured = await readMeasured();
  const ceiling = { ...originOf(source), value: Math.round(value) };
  await writeMeasured({ ...measured, ceilings: { ...measured.ceilings, [name]: ceiling } });
};
