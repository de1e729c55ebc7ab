import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { EXPORT_PARTS } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { date } from '../mail/format.ts';
import { exportFiles, type ExportFile, type ExportParts } from './export-files.ts';
import { exportText } from './messages.ts';
import { zipPieces, type ZipEntry } from './zip-pieces.ts';

export const EXPORT_JOB = 'export.write';
export type ExportJob = { exportId: string };

type Parts = ExportParts & { log: Log; clock: Clock; brand: string };
type Run = { exportId: string; attempt: number };

const CALL = { caller: { role: 'service', userId: null }, timeoutMs: 20_000 } as const;

const isSuperseded = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'identity.export_superseded';

/** Reports a part as done when the last of its files has been read to its end. */
const reporting = ({ identity }: Parts, run: Run, file: ExportFile): ZipEntry => ({
  path: file.path,
  read: async function* read() {
    yield* file.read();
    if (!file.isLast) return;
    const done = EXPORT_PARTS.indexOf(file.part) + 1;
    await identity(privacyEndpoints.reportExport, { ...run, done }, CALL);
  },
});

const readme = ({ brand, clock }: Parts): ZipEntry => ({
  path: 'README.txt',
  // oxlint-disable-next-line typescript/require-await -- a generator like that of the other files
  read: async function* read() {
    yield exportText('readme', { brand, date: date(clock().toISOString()) });
  },
});

const writeFile = async (parts: Parts, run: Run, userId: string): Promise<void> => {
  const files = await exportFiles(parts, userId);
  const entries = [readme(parts), ...files.map((file) => reporting(parts, run, file))];
  let [position, bytes] = [0, 0];
  for await (const content of zipPieces(entries, parts.clock())) {
    await parts.identity(privacyEndpoints.storeExportChunk, { ...run, position, content }, CALL);
    position += 1;
    bytes += content.length;
  }
  await parts.identity(privacyEndpoints.finishExport, { ...run, bytes }, CALL);
};

/**
 * Writes the file of an export. A job that runs twice begins two runs, of which only the later one can write; without anything to
 * do it ends at once.
 */
export const writeExport = async (parts: Parts, exportId: string): Promise<void> => {
  const { data } = await parts.identity(privacyEndpoints.startExport, { exportId }, CALL);
  if (data === null) return;
  const run = { exportId, attempt: data.attempt };
  try {
    await writeFile(parts, run, data.userId);
  } catch (error) {
    if (isSuperseded(error)) return;
    // Without this report, the next run waits until this one counts as dead.
    await parts
      .identity(privacyEndpoints.failExport, run, CALL)
      .catch((failure: unknown) => parts.log.warn({ err: failure, exportId }, 'failed export not reported'));
    throw error;
  }
};
