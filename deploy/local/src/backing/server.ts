/** A kind of backing service. Redis comes as two servers: one for sessions, one for the queue. */
export type PartName = 'database' | 'redis' | 'kafka';

export type ServerControl = {
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server by SIGKILL, as a power cut does. */
  kill(): Promise<void>;
};

export type Server = ServerControl & { url: string };

export type Servers = { database?: Server; redisSessions?: Server; redisQueue?: Server; kafka?: Server };
export type ServerName = keyof Servers;

/** Returns a control whose functions reject with this reason. */
export const refusingControl = (reason: string): ServerControl => {
  const refuse = (): Promise<never> => Promise.reject(new Error(reason));
  return { stop: refuse, start: refuse, kill: refuse };
};

export const SERVERS_OF: Record<PartName, ServerName[]> = {
  database: ['database'],
  redis: ['redisSessions', 'redisQueue'],
  kafka: ['kafka'],
};

/** Servers that this process has started, and the function that stops all of them. */
export type StartedServers = { servers: Servers; stop(): Promise<void> };
