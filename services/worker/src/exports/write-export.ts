import { Readable } from 'node:stream';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { EXPORT_CHUNK_BYTES, EXPORT_PARTS } from '@shortlist/contracts/limits';
import { messages } from '@shortlist/contracts/messages';
import { asService } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { ZipFile } from 'yazl';
import { date } from '../mail/formats.ts';
import { type ExportFile, exportFiles, type ExportParts } from './export-files.ts';

/** The text that accompanies the data in a user's file. */
const exportText = messages({
  readme: `This file contains everything that {brand} stores about you, as of {date}.

Each folder is a part of the product. Each list is there twice, with the same content: as JSON, for programs, and as CSV, for spreadsheets. All times are in UTC. Amounts are in the smallest unit of their currency, such as cents.

account/    your account, your sign-ins, and the ways in which you sign in
profile/    your profile and your picture
billing/    your plan, your subscriptions, your invoices with their links, packs of credits, and disputes
credits/    the periods of your credits, and every credit that you used
mails/      the emails and webhooks that we sent you, and whether you get news and tips
changes/    what you or our support changed, and when

Passwords, codes and keys are not in this file: we store them only in a form that cannot be read.
Our payment provider stores your card. We never see it.
`,
});

type ZipEntry = { path: string; read: () => AsyncGenerator<string | Buffer> };

/** The bytes of a ZIP file. An entry is read after the entries before it are written. */
const zip = (entries: readonly ZipEntry[], at: Date): AsyncIterable<Buffer> => {
  const file = new ZipFile();
  const output = file.outputStream as Readable;
  for (const { path, read } of entries) {
    const content = Readable.from(read(), { objectMode: false });
    // yazl waits forever for an entry that failed.
    content.on('error', (error) => output.destroy(error));
    file.addReadStream(content, path, { mtime: at });
  }
  file.end();
  return output as AsyncIterable<Buffer>;
};

/** The same bytes in pieces of EXPORT_CHUNK_BYTES. */
async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of content) {
    waiting.push(bytes);
    size += bytes.length;
    if (size < EXPORT_CHUNK_BYTES) continue;
    const all = Buffer.concat(waiting);
    let from = 0;
    for (; from + EXPORT_CHUNK_BYTES <= all.length; from += EXPORT_CHUNK_BYTES)
      yield all.subarray(from, from + EXPORT_CHUNK_BYTES);
    waiting = [all.subarray(from)];
    size = all.length - from;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** A ZIP file in pieces, each of which is stored separately. */
export const zipPieces = (entries: readonly ZipEntry[], at: Date): AsyncGenerator<Buffer> =>
  inPieces(zip(entries, at));

type Parts = ExportParts & { log: Log; clock: Clock; brand: string };
type Run = { exportId: string; attempt: number };

const CALL = asService({ timeoutMs: 20_000 });

const isSuperseded = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'identity.export_superseded';

/** Reports a part as done when its last file has been read completely. */
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
 * Writes the file of an export. A job that runs twice begins two runs, and only the later one can write. Returns at once if there is nothing to
 * do.
 */
export const writeExport = async (parts: Parts, exportId: string): Promise<void> => {
  const { data } = await parts.identity(privacyEndpoints.startExport, { exportId }, CALL);
  if (data === null) return;
  const run = { exportId, attempt: data.attempt };
  try {
    await writeFile(parts, run, data.userId);
  } catch (error) {
    if (isSuperseded(error)) return;
    // Otherwise the next run would wait until this one counts as dead.
    await parts
      .identity(privacyEndpoints.failExport, run, CALL)
      .catch((failure: unknown) => parts.log.warn({ err: failure, exportId }, 'failed export not reported'));
    throw error;
  }
};
