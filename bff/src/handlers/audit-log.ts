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
  SYSTEM_ACTOR_ID,
} from '@shortlist/contracts/api/audit';
import { readableEmail, withoutAccents } from '@shortlist/contracts/unicode';
import { directoryEndpoints, searchWords, type UserName } from '@shortlist/contracts/api/directory';
import { type AdminView, identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { actionTitle, partyText } from '@shortlist/contracts/audit-log';
import { AUDIT_PAGE, AUDIT_PAGE_MAX, AUDIT_PERSON_MAX, USER_ID } from '@shortlist/contracts/limits';
import { cursorOf, newestOf, positionOf } from '@shortlist/kit/data/newest-first';
import { BYTE_ORDER_MARK, csvHeaders, csvLine } from '@shortlist/kit/data/csv.rules';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Response } from 'express';
import { composed, type Route, streamed } from '../http/endpoint.ts';
import type { Services } from '../services.ts';

// Whom the entries of the audit log name. Services record ids; identity knows the admins, profile the users and the deleted ones. An entry
// about an app has its name.

type People = {
  admins: ReadonlyMap<string, AdminView>;
  users: ReadonlyMap<string, UserName>;
  deleted: ReadonlySet<string>;
  /** Whether each call had a reply. */
  isComplete: boolean;
};

/** Waits for a call; null if the page is read without it. */
type Wait = <Reply>(call: Promise<Reply>) => Promise<Reply | null>;
const always: Wait = (call) => call;

/** A constant number of calls for a page, whatever its entries. */
export const readPeople = async (
  { identity, profile }: Services,
  caller: Caller,
  entries: readonly AuditEntry[],
  wait = always,
): Promise<People> => {
  // An entry that was not recorded by the product, such as one of generated users, may name nobody.
  const named = entries
    .flatMap(({ actorId, targetId }) => [actorId, targetId])
    .filter((id) => USER_ID.test(id));
  const ids = [...new Set(named)];
  const parts = [ids.slice(0, AUDIT_PAGE_MAX), ids.slice(AUDIT_PAGE_MAX)].filter((part) => part.length > 0);
  const [admins, ...names] = await Promise.all([
    wait(identity(identityEndpoints.listAdmins, {}, { caller })),
    ...parts.map((part) => wait(profile(directoryEndpoints.listNames, { ids: part.join(',') }, { caller }))),
  ]);
  const known = names.filter((reply) => reply !== null);
  return {
    admins: new Map(admins?.data.map((admin) => [admin.userId, admin])),
    users: new Map(known.flatMap(({ data }) => data).map((user) => [user.id, user])),
    deleted: new Set(known.flatMap(({ deleted }) => deleted)),
    isComplete: admins !== null && known.length === names.length,
  };
};

const party = (kind: AuditParty['kind'], more: Partial<AuditParty> = {}): AuditParty => ({
  kind,
  name: null,
  email: null,
  role: null,
  ...more,
});

const findPerson = ({ admins, users, deleted }: People, id: string): AuditParty | null => {
  const [admin, user] = [admins.get(id), users.get(id)];
  if (admin !== undefined)
    return party('admin', { name: admin.name ?? admin.email, email: admin.email, role: admin.role });
  if (user !== undefined) return party('user', { name: user.name, email: user.email });
  return deleted.has(id) ? party('deleted_user') : null;
};

/** Entries about users alone: an unknown one has just signed up. */
const ABOUT_USERS = /^(plan|credits|profile|note|payment|terms|email)\./;

const unknownPerson = ({ isComplete }: People, action: string): AuditParty => {
  if (!isComplete) return party('none');
  return party(ABOUT_USERS.test(action) ? 'user' : 'former_admin');
};

const actorOf = (people: People, { actorId, action }: AuditEntry): AuditParty => {
  if (actorId === SYSTEM_ACTOR_ID) return party('system');
  return actorId === '' ? party('none') : (findPerson(people, actorId) ?? unknownPerson(people, action));
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** What the states of an entry say: the address of an invitation or of an admin who was removed, or the name of an app. */
const recorded = ({ before, after }: AuditEntry, name: 'email' | 'name'): string | null =>
  [after, before].map((state: { email?: unknown; name?: unknown } | null) => state?.[name]).find(isText) ??
  null;

const targetOf = (people: People, entry: AuditEntry): AuditParty => {
  const { targetId, action } = entry;
  const hasTarget =
    !action.endsWith('.export') && !action.startsWith('notice.') && action !== 'users.change_many';
  if (targetId === SYSTEM_ACTOR_ID || !hasTarget) return party('none');
  if (action.startsWith('tool.')) return party('tool', { name: recorded(entry, 'name') });
  const person = findPerson(people, targetId);
  if (person !== null) return person;
  if (!action.startsWith('team.')) return unknownPerson(people, action);
  const email = recorded(entry, 'email');
  return party(action.includes('invit') ? 'invited' : 'former_admin', { name: email, email });
};

export const nameIn = (people: People, entry: AuditEntry): AuditView => ({
  ...entry,
  actor: actorOf(people, entry),
  target: targetOf(people, entry),
});

/** The entries with the persons whom they name. */
export const addPeople = async (
  services: Services,
  caller: Caller,
  entries: readonly AuditEntry[],
): Promise<AuditView[]> => {
  if (entries.length === 0) return [];
  const people = await readPeople(services, caller, entries);
  return entries.map((entry) => nameIn(people, entry));
};

/** The words of a text in plain letters, as the database compares them in the directory. */
const plainWords = (text: string): string[] => searchWords(withoutAccents(text));

/** As the directory finds users: each searched word begins a word of the text. */
const matches = (text: string, searched: readonly string[]): boolean => {
  const words = plainWords(text);
  return searched.length > 0 && searched.every((start) => words.some((word) => word.startsWith(start)));
};

/** The ids of those whom a text names: by a whole id, or by the start of a name or an address of an admin or a user. */
const findPeople = async (
  { identity, profile }: Services,
  caller: Caller,
  text: string,
): Promise<string[]> => {
  const id = text.toLowerCase();
  if (USER_ID.test(id)) return [id];
  const search = { search: text, limit: AUDIT_PERSON_MAX + 1 };
  const [admins, users] = await Promise.all([
    identity(identityEndpoints.listAdmins, {}, { caller }),
    profile(directoryEndpoints.listDirectory, search, { caller }),
  ]);
  const searched = plainWords(text);
  const ids = [
    ...(matches(partyText('system'), searched) ? [SYSTEM_ACTOR_ID] : []),
    ...admins.data
      .filter(({ name, email }) => matches(`${name ?? ''} ${email} ${readableEmail(email)}`, searched))
      .map(({ userId }) => userId),
    ...users.data.map((user) => user.id),
  ];
  if (ids.length > AUDIT_PERSON_MAX) throw createError('audit.search_too_wide');
  return ids;
};

type Parts = { services: Services; caller: Caller };
type Page = { entries: AuditEntry[]; next: string | null };

/** A page that was opened before an update may know the id alone. */
const pageAfter = (cursor: string): Pick<AuditQuery, 'before' | 'beforeAt'> => {
  if (!cursor.includes('.')) return { before: cursor };
  const { at, id } = positionOf(cursor);
  return { before: id, beforeAt: at };
};

/** The filters with ids in place of the searched names; null where a text names nobody. */
const queryOf = async (
  { services, caller }: Parts,
  { by, about, before, ...filters }: Omit<AuditSearch, 'limit'>,
): Promise<AuditQuery | null> => {
  const find = (text: string | undefined) =>
    text === undefined ? undefined : findPeople(services, caller, text);
  const [actors, targets] = await Promise.all([find(by), find(about)]);
  if (actors?.length === 0 || targets?.length === 0) return null;
  return {
    ...filters,
    ...(before !== undefined && pageAfter(before)),
    ...(actors && { actors: actors.join(',') }),
    ...(targets && { targets: targets.join(',') }),
  };
};

/** Each service keeps its own part of the audit log. The parts merge by time, newest first. */
const readPage = async ({ services, caller }: Parts, query: AuditQuery, limit: number): Promise<Page> => {
  const owners = [services.identity, services.profile, services.billing, services.credits];
  const parts = await Promise.all(owners.map((call) => call(auditEndpoint, { ...query, limit }, { caller })));
  const read = parts.flatMap(({ data }) => data);
  const entries = newestOf(read, limit);
  const hasMore = read.length > limit || parts.some((part) => part.data.length === limit);
  const last = entries.at(-1);
  return { entries, next: hasMore && last !== undefined ? cursorOf(last) : null };
};

export const nameOf = ({ kind, name }: AuditParty): string => name ?? partyText(kind);
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
    const of = { ...query, ...(before !== null && pageAfter(before)) };
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
