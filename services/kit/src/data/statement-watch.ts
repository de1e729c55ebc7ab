// A server that vanishes without closing its connections, as when its machine is lost, leaves statements without a result until the
// operating system gives up after a quarter of an hour. So a statement that runs long is checked over another connection.
import { createConnection } from 'mysql2/promise';
import type { DatabaseAddress } from './variables.ts';

type Command = { once: (event: 'end', listener: () => void) => void };
export type WatchedConnection = {
  threadId: number | null;
  stream: { destroyed: boolean; destroy: (error: Error) => void };
  query: (...input: unknown[]) => Command | undefined;
};

/** Together below the five seconds that a caller of a service waits. */
export const WATCH_LIMITS = { suspectMs: 2_500, probeMs: 1_000 };
export type WatchLimits = typeof WATCH_LIMITS;

const lostConnection = (cause: unknown): Error =>
  Object.assign(new Error('the database does not respond', { cause }), { code: 'ETIMEDOUT' });

/** The ids of this account's connections that the server has, with the one of the probe itself. */
const readConnectionIds = async (
  address: DatabaseAddress,
  probeMs: number,
): Promise<{ ids: Set<number>; ownId: number }> => {
  const { host, port, username: user, password, database, ssl } = address;
  const options = { host, port, user, password, database, connectTimeout: probeMs };
  const connection = await createConnection({ ...options, ...(ssl ? { ssl } : {}) });
  try {
    const [rows] = await connection.query({ sql: 'SHOW PROCESSLIST', timeout: probeMs });
    const ids = new Set((rows as { Id: number }[]).map(({ Id: id }) => id));
    return { ids, ownId: connection.threadId };
  } finally {
    connection.destroy();
  }
};

/** Throws when the server does not respond, or does not know the connection. */
const assertKnown = async (probe: ReturnType<typeof readConnectionIds>, id: number | null): Promise<void> => {
  const { ids, ownId } = await probe;
  // A proxy in between may number connections itself; then the list says nothing about ours.
  if (id !== null && ids.has(ownId) && !ids.has(id))
    throw new Error('the server does not know the connection');
};

/**
 * Returns a function that watches the statements of a connection. When the server is away, or has forgotten the connection, it
 * destroys the connection, and the statement fails as unavailable within five seconds.
 */
export const createStatementWatch = (
  address: DatabaseAddress,
  { suspectMs, probeMs }: WatchLimits,
): ((connection: WatchedConnection) => void) => {
  let running: ReturnType<typeof readConnectionIds> | null = null;
  /** Statements that become suspect together share a probe. */
  const probe = (): ReturnType<typeof readConnectionIds> => {
    running ??= readConnectionIds(address, probeMs).finally(() => (running = null));
    return running;
  };
  const watched = new WeakSet<WatchedConnection>();
  return (connection) => {
    if (watched.has(connection)) return;
    watched.add(connection);
    const query = connection.query.bind(connection);
    connection.query = (...input) => {
      const command = query(...input);
      const check = (): void => {
        if (connection.stream.destroyed) return;
        assertKnown(probe(), connection.threadId).then(
          () => timer.refresh(),
          (cause: unknown) => connection.stream.destroy(lostConnection(cause)),
        );
      };
      const timer = setTimeout(check, suspectMs).unref();
      command?.once('end', () => clearTimeout(timer));
      return command;
    };
  };
};
