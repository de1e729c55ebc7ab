import { Readable } from 'node:stream';
import { EXPORT_CHUNK_BYTES } from '@shortlist/contracts/limits';
import { ZipFile } from 'yazl';

export type ZipEntry = { path: string; read: () => AsyncGenerator<string | Buffer> };

/** The bytes of a ZIP file in pieces of EXPORT_CHUNK_BYTES. An entry is read when the entries before it are written. */
export async function* zipPieces(entries: readonly ZipEntry[], at: Date): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  for (const { path, read } of entries) {
    const content = Readable.from(read(), { objectMode: false });
    // yazl waits without limit for an entry that failed.
    content.on('error', (error) => output.destroy(error));
    zip.addReadStream(content, path, { mtime: at });
  }
  zip.end();
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of output as AsyncIterable<Buffer>) {
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
