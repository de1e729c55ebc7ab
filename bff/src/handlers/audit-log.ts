import { once } from 'node:events';
import { adminRoleText } from '@shortlist/contracts/admin-permissions';
import {
  auditEndpoint,
  type AuditEntry,
  auditExportEndpoint,
  type AuditParty,
  type AuditQuery,
  type AuditSearch,
  type AuditView,
} from '@shortlist/contracts/api/audit';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { actionTitle, partyText } from '@shortlist/contracts/audit-log';
import { AUDIT_PAGE, AUDIT_PAGE_MAX } from '@shortlist/contracts/limits';
import { BYTE_ORDER_MARK, csvHeaders, csvLine } from '@shortlist/kit/data/csv.rules';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Response } from 'express';
import { composed, type Route, streamed } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';
import { addPeople, findPeople } from './audit-people.ts';

type Parts = { services: Services; caller: Caller };
type Page = { entries: AuditEntry[]; next: string | null };

/** The filters with ids in place of the searched names; null where a text names nobody. */
const queryOf = async (
  { services, caller }: Parts,
  { by, about, ...filters }: Omit<AuditSearch, 'limit'>,
): Promise<AuditQuery | null> => {
  const find = (text: string | undefined) =>
    text === undefined ? undefined : findPeople(services, caller, text);
  const [actors, targets] = await Promise.all([find(by), find(about)]);
  if (actors?.length === 0 || targets?.length === 0) return null;
  return {
    ...filters,
    ...(actors && { actors: actors.join(',') }),
    ...(targets && { targets: targets.join(',') }),
  };
};

/** Each service keeps its own part of the audit log. Ids grow with time, so the parts merge by id, newest first. */
const readPage = async ({ services, caller }: Parts, query: AuditQuery, limit: number): Promise<Page> => {
  const owners = [services.identity, services.profile, services.billing, services.credits];
  const parts = await Promise.all(owners.map((call) => call(auditEndpoint, { ...query, limit }, { caller })));
  const merged = parts.flatMap(({ data }) => data).sort((a, b) => (a.id < b.id ? 1 : -1));
  const entries = merged.slice(0, limit);
  const hasMore = merged.length > limit || parts.some((part) => part.data.length === limit);
  return { entries, next: hasMore ? (entries.at(-1)?.id ?? null) : null };
};

const nameOf = ({ kind, name }: AuditParty): string => name ?? partyText(kind);
const roleOf = ({ role }: AuditParty): string => (role === null ? '' : adminRoleText(role));
const stateOf = (state: object | null): string => (state === null ? '' : JSON.stringify(state));

const COLUMNS: Record<string, (entry: AuditView) => string> = {
  'Time (UTC)': ({ at }) => at,
  'Done by': ({ actor }) => nameOf(actor),
  Role: ({ actor }) => roleOf(actor),
  'Done by (id)': ({ actorId }) => actorId,
  From: ({ address }) => address,
  Action: ({ action }) => actionTitle(action),
  'Action (code)': ({ action }) => action,
  About: ({ target }) => nameOf(target),
  'About (id)': ({ targetId }) => targetId,
  Before: ({ before }) => stateOf(before),
  After: ({ after }) => stateOf(after),
};

const lineOf = (entry: AuditView): string => csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(entry)));

/** Writes every entry, page by page, and waits while the client reads: one page is in memory at a time. */
const writeLog = async (parts: Parts, query: AuditQuery, to: Response): Promise<void> => {
  let before: string | null = null;
  do {
    const of = { ...query, ...(before === null ? {} : { before }) };
    const { entries, next }: Page = await readPage(parts, of, AUDIT_PAGE_MAX);
    const lines = (await addPeople(parts.services, parts.caller, entries)).map(lineOf).join('');
    if (!to.write(lines)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    before = next;
  } while (before !== null && !to.destroyed);
};

export const auditEndpoints = (services: Services): Route[] => [
  composed(publicEndpoints.audit, async ({ input: { limit = AUDIT_PAGE, ...filters }, caller }) => {
    const query = await queryOf({ services, caller }, filters);
    if (query === null) return { data: [], next: null };
    const { entries, next } = await readPage({ services, caller }, query, limit);
    return { data: await addPeople(services, caller, entries), next };
  }),

  streamed(publicEndpoints.exportAudit, async ({ input, caller, response }) => {
    const query = await queryOf({ services, caller }, input);
    const { by, about, ...filters } = input;
    const isSearch = by !== undefined || about !== undefined;
    // Without the record there is no export.
    await services.identity(auditExportEndpoint, { ...filters, ...(isSearch && { isSearch }) }, { caller });
    response.set(csvHeaders('audit-log.csv'));
    response.write(BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)));
    if (query !== null) await writeLog({ services, caller }, query, response);
    response.end();
  }),
];
