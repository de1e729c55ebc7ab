// The files of an export, by part. Each list is written page by page, so that no list is completely in memory; the CSV reads the pages a second
// time.
import {
  dataExportEndpoints,
  EXPORT_SECTIONS,
  type ExportingService,
  type ExportRow,
} from '@shortlist/contracts/api/privacy';
import { EXPORT_PARTS } from '@shortlist/contracts/limits';
import { BYTE_ORDER_MARK, csvLine } from '@shortlist/kit/data/csv.rules';
import type { Db } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { listMailsOf } from '../mail/queries.ts';
import { listSuppressionsOf } from '../mail/suppression-queries.ts';
import { isTurnedOff } from '../mail/turned-off-queries.ts';
import { listMessagesOf } from '../webhooks/queries.ts';

export type ExportParts = Record<ExportingService, ServiceClient> & { db: Db };
type Part = (typeof EXPORT_PARTS)[number];
type Pieces = AsyncGenerator<string | Buffer>;
/** A file of the export, and whether it is the last of its part. */
export type ExportFile = { path: string; part: Part; isLast: boolean; read: () => Pieces };

type List = { path: string; columns: readonly string[]; pages: () => AsyncGenerator<ExportRow[]> };

const CALL = asService({ timeoutMs: 20_000 });

const sectionPages = (
  parts: ExportParts,
  service: ExportingService,
  request: { userId: string; section: string },
): (() => AsyncGenerator<ExportRow[]>) =>
  async function* pages() {
    for (let cursor: string | undefined; ;) {
      const page = await parts[service](
        dataExportEndpoints[service],
        { ...request, ...(cursor ? { cursor } : {}) },
        CALL,
      );
      yield page.data;
      if (page.next === null) return;
      cursor = page.next;
    }
  };

const writeJson = ({ pages }: List): (() => Pieces) =>
  async function* json() {
    let isFirst = true;
    for await (const rows of pages())
      for (const row of rows) {
        yield `${isFirst ? '[\n' : ',\n'}${JSON.stringify(row, null, 2)}`;
        isFirst = false;
      }
    yield isFirst ? '[]\n' : '\n]\n';
  };

const cellOf = (value: unknown): string | number => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
};

const writeCsv = ({ columns, pages }: List): (() => Pieces) =>
  async function* csv() {
    yield BYTE_ORDER_MARK + csvLine(columns);
    for await (const rows of pages())
      for (const row of rows) yield csvLine(columns.map((column) => cellOf(row[column])));
  };

const MAIL_COLUMNS = ['createdAt', 'kind', 'status', 'delivery', 'details'] as const;

const mailsOf = ({ db }: ExportParts, userId: string): List => ({
  path: 'mails/mails',
  columns: MAIL_COLUMNS,
  pages: async function* pages() {
    for (let after = ''; ;) {
      const mails = await listMailsOf(db.manager, userId, after);
      yield mails.map(
        ({
          createdAt,
          template,
          status,
          delivery,
          data,
        }): Record<(typeof MAIL_COLUMNS)[number], unknown> => ({
          createdAt: createdAt.toISOString(),
          kind: template,
          status,
          delivery,
          details: data,
        }),
      );
      const last = mails.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  },
});

const SUPPRESSION_COLUMNS = ['at', 'email', 'kind', 'reason'] as const;

/** The user's suppressed addresses, of which there are few. */
const suppressionsOf = ({ db }: ExportParts, userId: string): List => ({
  path: 'mails/suppressed',
  columns: SUPPRESSION_COLUMNS,
  pages: async function* pages() {
    yield await listSuppressionsOf(db.manager, userId);
  },
});

const mailSettingsOf = ({ db }: ExportParts, userId: string): List => ({
  path: 'mails/settings',
  columns: ['newsMails'],
  pages: async function* pages() {
    yield [{ newsMails: !(await isTurnedOff(db.manager, userId, 'news')) }];
  },
});

const WEBHOOK_COLUMNS = ['createdAt', 'event', 'payload'] as const;

const webhookMessagesOf = ({ db }: ExportParts, userId: string): List => ({
  path: 'mails/webhooks',
  columns: WEBHOOK_COLUMNS,
  pages: async function* pages() {
    for (let after = ''; ;) {
      const messages = await listMessagesOf(db.manager, userId, after);
      yield messages.map(
        ({ createdAt, event, payload }): Record<(typeof WEBHOOK_COLUMNS)[number], string> => ({
          createdAt: createdAt.toISOString(),
          event,
          payload,
        }),
      );
      const last = messages.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  },
});

/** The name of each file and its content. */
const listPictures = async (parts: ExportParts, userId: string): Promise<[string, Buffer][]> => {
  const pictures: [string, Buffer][] = [];
  for await (const rows of sectionPages(parts, 'profile', { userId, section: 'pictures' })())
    for (const { name, content } of rows)
      pictures.push([String(name), Buffer.from(String(content), 'base64')]);
  return pictures;
};

const FOLDERS = { identity: 'account', profile: 'profile', billing: 'billing', credits: 'credits' } as const;
const SERVICES = ['identity', 'profile', 'billing', 'credits'] as const;

/** The lists of each part. The audit entries of all services are a separate part. */
const listsOf = (parts: ExportParts, userId: string): Record<Part, List[]> => {
  const lists: Record<Part, List[]> = {
    account: [],
    profile: [],
    billing: [],
    credits: [],
    changes: [],
    mails: [
      mailsOf(parts, userId),
      mailSettingsOf(parts, userId),
      suppressionsOf(parts, userId),
      webhookMessagesOf(parts, userId),
    ],
  };
  for (const service of SERVICES) {
    const sections: Readonly<Record<string, readonly string[]>> = EXPORT_SECTIONS[service];
    for (const [section, columns] of Object.entries(sections)) {
      if (section === 'pictures') continue;
      const folder = FOLDERS[service];
      const [part, name] = section === 'changes' ? (['changes', folder] as const) : [folder, section];
      const pages = sectionPages(parts, service, { userId, section });
      lists[part].push({ path: `${part}/${name}`, columns, pages });
    }
  }
  return lists;
};

/** Every file of an export in the order in which it is written, part by part. */
export const exportFiles = async (parts: ExportParts, userId: string): Promise<ExportFile[]> => {
  const pictures = await listPictures(parts, userId);
  const lists = listsOf(parts, userId);
  return EXPORT_PARTS.flatMap((part) => {
    const files = lists[part].flatMap((list) => [
      { path: `${list.path}.json`, read: writeJson(list) },
      { path: `${list.path}.csv`, read: writeCsv(list) },
    ]);
    for (const [file, bytes] of part === 'profile' ? pictures : [])
      files.push({
        path: `profile/${file}`,
        // oxlint-disable-next-line typescript/require-await -- a generator like those of the other files
        read: async function* picture() {
          yield bytes;
        },
      });
    return files.map((file, index) => ({ ...file, part, isLast: index === files.length - 1 }));
  });
};
