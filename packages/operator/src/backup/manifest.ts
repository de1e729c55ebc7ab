// What the store says about its files, in JSON beside them. A manifest is written last: a backup without one does not count.
import Joi from 'joi';
import { readText, type Store, writeText } from './store.ts';

export const SERVICES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;
export type Service = (typeof SERVICES)[number];

/** A place in the binary log. */
export type LogPosition = { file: string; position: number };

export type Dump = { service: Service; name: string; bytes: number; sha256: string; log: LogPosition };

export type Backup = {
  format: 1;
  /** The time of its start, as in 20261129T030000Z. */
  id: string;
  startedAt: string;
  /** From this instant on the binary log brings every database of this backup to the same instant. */
  endedAt: string;
  serverVersion: string;
  productVersion: string;
  dumps: Dump[];
};

/** A closed file of the binary log. */
export type LogFile = {
  file: string;
  name: string;
  bytes: number;
  sha256: string;
  startedAt: string;
  /** All changes before this instant are in this file or an earlier one. */
  until: string;
};

/** The ids of the users who were deleted between two instants, with the times. */
export type DeletionList = {
  name: string;
  bytes: number;
  sha256: string;
  since: string;
  until: string;
  users: number;
};

const instant = Joi.string().isoDate().required();

const backupSchema = Joi.object<Backup>({
  format: Joi.valid(1).required(),
  id: Joi.string()
    .pattern(/^\d{8}T\d{6}Z$/)
    .required(),
  startedAt: instant,
  endedAt: instant,
  serverVersion: Joi.string().required(),
  productVersion: Joi.string().required(),
  dumps: Joi.array()
    .items({
      service: Joi.valid(...SERVICES).required(),
      name: Joi.string()
        .pattern(/^[\w./-]+$/)
        .required(),
      bytes: Joi.number().integer().min(1).required(),
      sha256: Joi.string().hex().length(64).required(),
      log: Joi.object({
        file: Joi.string()
          .pattern(/^[\w.-]+\.\d+$/)
          .required(),
        position: Joi.number().integer().min(4).required(),
      }).required(),
    })
    .length(SERVICES.length)
    .required(),
});

const MANIFEST = /^backups\/(\d{8}T\d{6}Z)\/manifest\.json$/;
/** The name says everything, since there is one every few minutes: a listing of the store suffices. */
const LOG = /^(logs\/(\d{8}T\d{6}Z)-([\w.-]+\.\d+))_(\d{8}T\d{6}Z)_(\d+)_([0-9a-f]{64})\.json$/;
const DELETIONS = /^(deletions\/(\d{8}T\d{6}Z)-(\d{8}T\d{6}Z))_(\d+)_(\d+)_([0-9a-f]{64})\.json$/;
const MARK = /^(verified|restored)\/(\d{8}T\d{6}Z)\.json$/;

/** An instant as it occurs in names: 20261129T030000Z. */
export const compactInstant = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '');

const expandInstant = (text: string): string =>
  text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');

export const folderOf = (id: string): string => `backups/${id}`;
export const dumpName = (id: string, service: Service): string => `${folderOf(id)}/${service}.sql.zst.age`;
export const logFileName = (startedAt: Date, file: string): string =>
  `logs/${compactInstant(startedAt)}-${file}.zst.age`;

const logManifestName = ({ startedAt, file, until, bytes, sha256 }: LogFile): string => {
  const [start, end] = [startedAt, until].map((at) => compactInstant(new Date(at)));
  return `logs/${start}-${file}_${end}_${bytes}_${sha256}.json`;
};

const parseLog = (manifest: string): LogFile[] => {
  const [, path, startedAt = '', file = '', until = '', bytes, sha256 = ''] = LOG.exec(manifest) ?? [];
  if (path === undefined) return [];
  return [
    {
      file,
      name: `${path}.zst.age`,
      bytes: Number(bytes),
      sha256,
      startedAt: expandInstant(startedAt),
      until: expandInstant(until),
    },
  ];
};

export const deletionListName = (since: Date, until: Date): string =>
  `deletions/${compactInstant(since)}-${compactInstant(until)}.zst.age`;

const deletionManifestName = ({ since, until, users, bytes, sha256 }: DeletionList): string => {
  const name = deletionListName(new Date(since), new Date(until));
  return `${name.replace('.zst.age', '')}_${users}_${bytes}_${sha256}.json`;
};

const parseDeletions = (manifest: string): DeletionList[] => {
  const [, path, since = '', until = '', users, bytes, sha256 = ''] = DELETIONS.exec(manifest) ?? [];
  if (path === undefined) return [];
  return [
    {
      name: `${path}.zst.age`,
      bytes: Number(bytes),
      sha256,
      since: expandInstant(since),
      until: expandInstant(until),
      users: Number(users),
    },
  ];
};

export const writeBackup = (store: Store, backup: Backup): Promise<void> =>
  writeText(store, `${folderOf(backup.id)}/manifest.json`, `${JSON.stringify(backup, null, 2)}\n`);

export const writeLog = (store: Store, log: LogFile): Promise<void> =>
  writeText(store, logManifestName(log), `${JSON.stringify(log, null, 2)}\n`);

export const writeDeletions = (store: Store, list: DeletionList): Promise<void> =>
  writeText(store, deletionManifestName(list), `${JSON.stringify(list, null, 2)}\n`);

/** Records that a backup was verified, or that databases were replaced at an instant. */
export const writeMark = (store: Store, kind: 'verified' | 'restored', id: string): Promise<void> =>
  writeText(store, `${kind}/${id}.json`, '{}\n');

export type Contents = {
  /** Oldest first. */
  backups: Backup[];
  /** What is wrong with manifests that cannot be used. */
  damaged: string[];
  logs: LogFile[];
  /** By the instants to which they reach. */
  deletions: DeletionList[];
  verified: string[];
  /** When databases were replaced by a restore. */
  restoredAt: Date[];
  /** All names, including those of backups that were not finished. */
  names: string[];
};

type Parsed = { backup: Backup } | { damage: string };

const parseBackup = (name: string, content: string): Parsed => {
  try {
    const result = backupSchema.validate(JSON.parse(content), { convert: false });
    return result.error
      ? { damage: `${name} is damaged: ${result.error.message}.` }
      : { backup: result.value };
  } catch {
    return { damage: `${name} is damaged: it is not JSON.` };
  }
};

/** Reads what the store has. A damaged manifest does not keep the other backups from being used. */
export const readContents = async (store: Store): Promise<Contents> => {
  const names = await store.list();
  const marks = names.flatMap((name) => {
    const [, kind, id = ''] = MARK.exec(name) ?? [];
    return kind === undefined ? [] : [{ kind, id }];
  });
  const parsed: Parsed[] = [];
  for (const name of names.filter((one) => MANIFEST.test(one)).toSorted())
    parsed.push(parseBackup(name, await readText(store, name)));
  return {
    backups: parsed.flatMap((one) => ('backup' in one ? [one.backup] : [])),
    damaged: parsed.flatMap((one) => ('damage' in one ? [one.damage] : [])),
    logs: names.toSorted().flatMap(parseLog),
    deletions: names
      .flatMap(parseDeletions)
      .toSorted((left, right) => Date.parse(left.until) - Date.parse(right.until)),
    verified: marks.filter(({ kind }) => kind === 'verified').map(({ id }) => id),
    restoredAt: marks
      .filter(({ kind }) => kind === 'restored')
      .map(({ id }) => new Date(expandInstant(id)))
      .toSorted((left, right) => left.getTime() - right.getTime()),
    names,
  };
};

export const logFilesOf = (log: LogFile): string[] => [logManifestName(log), log.name];
export const deletionFilesOf = (list: DeletionList): string[] => [deletionManifestName(list), list.name];
