import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Copying, copyLogs, requireBinaryLog, serverTime, waitForNextSecond } from './copy-logs.ts';
import type { DatabaseServer } from './database-server.ts';
import { copyDeletions } from './deletions.ts';
import {
  type Backup,
  compactInstant,
  type Dump,
  dumpName,
  folderOf,
  type LogFile,
  type LogPosition,
  type Service,
  SERVICES,
  writeBackup,
} from './manifest.ts';
import { firstLogOf } from './restore-plan.rules.ts';
import { writeSealed } from './sealed-file.ts';
import type { Store } from './store.ts';

/** One snapshot of one database, without locks, with its place in the binary log as a comment. */
const DUMP_OPTIONS = [
  '--single-transaction',
  '--master-data=2',
  '--quick',
  '--routines',
  '--events',
  '--hex-blob',
  '--no-tablespaces',
  '--skip-dump-date',
  '--default-character-set=utf8mb4',
];

/** The comment is in the first lines. */
const HEAD_BYTES = 65_536;
const POSITION = /MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)/;

const createHeadReader = () => {
  let head = '';
  const reader = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (head.length < HEAD_BYTES) head += chunk.toString('latin1');
      done(null, chunk);
    },
  });
  const readPosition = (): LogPosition => {
    const [, file, position] = POSITION.exec(head) ?? [];
    if (file === undefined) throw new Error('mariadb-dump names no position in the binary log.');
    return { file, position: Number(position) };
  };
  return { reader, readPosition };
};

const dumpInto = (server: DatabaseServer, service: Service, target: Writable, signal: AbortSignal) => {
  const { reader, readPosition } = createHeadReader();
  const dump = server.start('mariadb-dump', [...DUMP_OPTIONS, service], signal);
  dump.stdin.end();
  return { readPosition, steps: [dump.ended, pipeline(dump.stdout, reader, target, { signal })] };
};

const dumpDatabase = async (copying: Copying, id: string, service: Service): Promise<Dump> => {
  let readPosition: (() => LogPosition) | undefined;
  const stored = await writeSealed(copying, dumpName(id, service), (target, signal) => {
    const dump = dumpInto(copying.server, service, target, signal);
    ({ readPosition } = dump);
    return dump.steps;
  });
  if (readPosition === undefined) throw new Error('the dump was not started');
  return { service, ...stored, log: readPosition() };
};

const removeDumps = async (store: Store, id: string): Promise<void> => {
  const names = await store.list();
  for (const name of names.filter((one) => one.startsWith(`${folderOf(id)}/`))) await store.remove(name);
};

/** Dumps every database, then copies the binary log and the deletions up to now. A backup counts from the moment when its manifest is written, at the end. */
export const createBackup = async (
  copying: Copying,
  productVersion: string,
): Promise<{ backup: Backup; copied: LogFile[] }> => {
  const { server, store } = copying;
  const serverVersion = await requireBinaryLog(server);
  const startedAt = await serverTime(server);
  const id = compactInstant(startedAt);
  try {
    const dumps: Dump[] = [];
    for (const service of SERVICES) dumps.push(await dumpDatabase(copying, id, service));
    // Instants are whole seconds: from the next one on, the log has what the last dump lacks, and nothing that it has.
    const endedAt = await waitForNextSecond(server);
    const backup: Backup = {
      format: 1,
      id,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt.toISOString(),
      serverVersion,
      productVersion,
      dumps,
    };
    const copied = await copyLogs(copying, firstLogOf(backup));
    await copyDeletions(copying, startedAt);
    await writeBackup(store, backup);
    return { backup, copied };
  } catch (error) {
    // Without a manifest they would not count anyway, and a store that is away must not hide the first error.
    await removeDumps(store, id).catch(() => undefined);
    throw error;
  }
};
