// Several lists that are read as one, page by page: the newest entry first, of one millisecond the one with the greatest id. Each list is of
// another table or service, and its ids begin with a prefix of its own.

/** `at`: ISO 8601 with milliseconds, in UTC. */
type Dated = { id: string; at: string };
/** The last entry of the page before; null for the first page. */
export type Position = Dated | null;

const compare = (one: Dated, other: Dated): number => {
  const [a, b] = one.at === other.at ? [one.id, other.id] : [one.at, other.at];
  if (a === b) return 0;
  return a > b ? -1 : 1;
};

/** The newest of these entries. */
export const newestOf = <Entry extends Dated>(entries: readonly Entry[], limit: number): Entry[] =>
  entries.toSorted(compare).slice(0, limit);

/** The cursor after which entries older than this one follow. */
export const cursorOf = ({ at, id }: Dated): string => `${Date.parse(at)}.${id}`;

/** The entry that a cursor names. */
export const positionOf = (cursor: string): Dated => {
  const [time = ''] = cursor.split('.', 1);
  return { at: new Date(Number(time)).toISOString(), id: cursor.slice(time.length + 1) };
};

/** After every time that a database can store, and after every key of digits, small letters before z, and hyphens. */
const END = { at: new Date('9999-12-31T23:59:59.999Z'), key: 'z' };

/**
 * Where a query continues a list whose ids are `prefix` and a key: with `time <= at AND (time < at OR row's key < key)`. The first comparison
 * alone is the range of an index.
 */
export const boundOf = (position: Position, prefix: string): { at: Date; key: string } => {
  if (position === null) return END;
  const at = new Date(position.at);
  if (position.id.startsWith(prefix)) return { at, key: position.id.slice(prefix.length) };
  return { at, key: prefix < position.id ? END.key : '' };
};

type Request = { before?: string; limit: number };
/** Reads the newest entries of a list after a position: as many as the limit, or more. It may return newer ones too. */
export type NewestFirst<Asked extends Request, Entry> = (
  request: Asked & { position: Position },
) => Promise<readonly Entry[]>;

/** A page of the lists with these names. */
export const readNewest = async <Name extends string, Asked extends Request, Entry extends Dated>(
  lists: Readonly<Partial<Record<Name, NewestFirst<Asked, Entry>>>>,
  names: readonly Name[],
  request: Asked,
): Promise<Entry[]> => {
  const position = request.before === undefined ? null : positionOf(request.before);
  const named = names.flatMap((name) => lists[name] ?? []);
  const read = await Promise.all(named.map((list) => list({ ...request, position })));
  const older = read.flat().filter((entry) => position === null || compare(entry, position) > 0);
  return newestOf(older, request.limit);
};
