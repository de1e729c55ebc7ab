/** What can be asked for. Redis always comes as two servers, one for sessions and one for the queue. */
export type PartName = 'database' | 'redis' | 'kafka';

export type Control = {
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
};

/** One running server: its address, and hands for fault tests. */
export type Part = Control & { url: string };

export type Parts = { database?: Part; redisSessions?: Part; redisQueue?: Part; kafka?: Part };

export const uncontrolled = (reason: string): Control => {
  const refuse = (): Promise<never> => Promise.reject(new Error(reason));
  return { stop: refuse, start: refuse, kill: refuse };
};

/** The servers behind each part. */
export const SERVERS: Record<PartName, (keyof Parts)[]> = {
  database: ['database'],
  redis: ['redisSessions', 'redisQueue'],
  kafka: ['kafka'],
};

/** Parts that run for us, and what ends them all. */
export type StartedParts = { parts: Parts; stop(): Promise<void> };
