// A file of a backup: compressed with zstd, then encrypted with age for the holders of the private keys. Whoever can read the store or run
// the backup can decrypt nothing.
import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Environment } from '@shortlist/kit/process/config';
import type { Store } from './store.ts';
import { runTogether, startTool, ToolError } from './tool.ts';

export type Stored = { name: string; bytes: number; sha256: string };

/** Counts and hashes what passes. */
const createMeter = () => {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { meter, result: () => ({ bytes, sha256: hash.digest('hex') }) };
};

type Sealing = { env: Environment; signal: AbortSignal; store: Store; recipients: readonly string[] };

/** Stores what `produce` writes, and returns the size and checksum of the stored file. */
export const writeSealed = async (
  { env, signal: limit, store, recipients }: Sealing,
  name: string,
  produce: (target: Writable, signal: AbortSignal) => readonly Promise<unknown>[],
): Promise<Stored> => {
  const { meter, result } = createMeter();
  await runTogether(limit, (signal) => {
    const args = ['--encrypt', ...recipients.flatMap((recipient) => ['--recipient', recipient])];
    const age = startTool({ program: 'age', args, env }, signal);
    const compress = createZstdCompress();
    return [
      age.ended,
      ...produce(compress, signal),
      pipeline(compress, age.stdin, { signal }),
      pipeline(age.stdout, meter, { signal, end: true }),
      store.write(name, meter, signal),
    ];
  });
  return { name, ...result() };
};

type Opening = { env: Environment; signal: AbortSignal; store: Store; keyFile: string };

/** A stored file is not what its backup says, or the key does not open it. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

const explain = (name: string, error: unknown): unknown => {
  if (!(error instanceof ToolError)) return error;
  if (error.message.includes('no identity matched'))
    return new DamagedError(
      `The key of BACKUP_KEY_FILE does not open ${name}: it was encrypted for another key.`,
    );
  if (
    /^age failed: .*(failed to decrypt|authentication|header|intro|truncated|unexpected EOF)/s.test(
      error.message,
    )
  )
    return new DamagedError(`${name} is damaged: ${error.message}`);
  return error;
};

/**
 * Passes the decrypted content of a file to `consume`. Throws a `DamagedError` for a file whose size or checksum is not that of the backup, or
 * that the key does not open.
 */
export const readSealed = async (
  { env, signal: limit, store, keyFile }: Opening,
  { name, bytes, sha256 }: Stored,
  consume: (content: Readable, signal: AbortSignal) => readonly Promise<unknown>[],
): Promise<void> => {
  const { meter, result } = createMeter();
  try {
    await store.read(name, (content, outer) =>
      runTogether(AbortSignal.any([limit, outer]), (signal) => {
        const args = ['--decrypt', '--identity', keyFile];
        const age = startTool({ program: 'age', args, env }, signal);
        const decompress = createZstdDecompress();
        return [
          age.ended,
          pipeline(content, meter, age.stdin, { signal }),
          pipeline(age.stdout, decompress, { signal, end: true }),
          ...consume(decompress, signal),
        ];
      }),
    );
  } catch (error) {
    throw explain(name, error);
  }
  const read = result();
  if (read.bytes !== bytes || read.sha256 !== sha256)
    throw new DamagedError(`${name} is damaged: its size or checksum is not that of the backup.`);
};

/** Reads a file to its end, without using its content. */
export const checkSealed = (opening: Opening, stored: Stored): Promise<void> =>
  readSealed(opening, stored, (content, signal) => {
    const sink = new PassThrough();
    sink.resume();
    return [pipeline(content, sink, { signal })];
  });
