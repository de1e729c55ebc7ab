/** The areas of data that screens show. A stream of live updates names them, and a page reads again what it shows of them. */
export const AREAS = [
  'profile',
  'privacy',
  'subscription',
  'credits',
  'directory',
  'earnings',
  'security',
  'system',
  'config',
] as const;
export type Area = (typeof AREAS)[number];

/** What has changed, to admins: the users of whom, by area; null stands for more of them than a page can show. */
export type ChangedUsers = Partial<Record<Area, readonly string[] | null>>;

/** One message of the stream. A user is told which areas of their own data to read again, an admin whose data changed. */
export type LiveUpdate = { stale: readonly Area[] } | { changed: ChangedUsers };
