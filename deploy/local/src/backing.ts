import { startContainers } from './backing/containers.ts';
import { startComposed } from './backing/composed.ts';
import { findGivenParts, missingFrom } from './backing/given.ts';
import { startNative } from './backing/native.ts';
import {
  uncontrolled,
  type Control,
  type Part,
  type PartName,
  type Parts,
  type StartedParts,
} from './backing/part.ts';
import { makePlace, type Place, type PlaceOptions } from './backing/place.ts';
import { environment } from './config.ts';
import { engineAnswers } from './docker.ts';
import { messageOf } from './errors.ts';
import type { Tell } from './tell.ts';

export type BackingOptions = PlaceOptions & {
  /** What is wanted; all when left out. */
  parts?: readonly PartName[];
  /** With an engine, tests get throw-away containers; a run gets those of docker-compose.yml. Default: test. */
  purpose?: 'test' | 'run';
  tell?: Tell;
};

/** Addresses are empty for a part that was not asked for; its control refuses. */
export type Backing = {
  databaseAdminUrl: string;
  sessionsRedisUrl: string;
  queueRedisUrl: string;
  kafkaBrokers: string;
  database: Control;
  redisSessions: Control;
  redisQueue: Control;
  kafka: Control;
  stop(): Promise<void>;
};

const ALL: readonly PartName[] = ['database', 'redis', 'kafka'];
const ABSENT: Part = { url: '', ...uncontrolled('This part was not asked for.') };
const ALL_ABSENT = { database: ABSENT, redisSessions: ABSENT, redisQueue: ABSENT, kafka: ABSENT };

type Request = { wanted: readonly PartName[]; place: Place; purpose: 'test' | 'run'; tell: Tell };

const startWithEngine = async ({ wanted, place, purpose, tell }: Request): Promise<StartedParts | null> => {
  if (!(await engineAnswers())) {
    tell('No Docker engine answers.');
    return null;
  }
  tell(`A Docker engine answers: starting ${wanted.join(', ')} in containers …`);
  try {
    if (purpose === 'run') return await startComposed(wanted, place);
    return await startContainers(wanted, place);
  } catch (error) {
    tell(`The containers could not be used. ${messageOf(error)}`);
    return null;
  }
};

const startMissing = async (request: Request): Promise<StartedParts> => {
  const started = await startWithEngine(request);
  if (started) return started;
  request.tell(`Starting ${request.wanted.join(', ')} as programs of this machine …`);
  return startNative(request.wanted, request.place, request.tell);
};

type Resolved = { parts: Parts; stop(): Promise<void> };

const resolveParts = async (request: Request): Promise<Resolved> => {
  const { wanted, tell } = request;
  const given = findGivenParts(environment(), wanted);
  const missing = missingFrom(given, wanted);
  const found = wanted.filter((name) => !missing.includes(name));
  if (found.length > 0) tell(`The environment gives the address of: ${found.join(', ')}.`);
  if (missing.length === 0) return { parts: given, stop: () => Promise.resolve() };
  const started = await startMissing({ ...request, wanted: missing });
  return { parts: { ...given, ...started.parts }, stop: started.stop };
};

/**
 * Finds or starts what the services stand on: addresses from the environment, then a Docker engine, then programs
 * of this machine. Throws `StartFailure` with what to do when none works; nothing is left running then.
 */
export const startBacking = async (options: BackingOptions = {}): Promise<Backing> => {
  const { parts: wanted = ALL, purpose = 'test', tell = () => undefined } = options;
  const place = await makePlace(options);
  const resolved = await resolveParts({ wanted, place, purpose, tell }).catch(async (error: unknown) => {
    await place.forget();
    throw error;
  });
  const { database, redisSessions, redisQueue, kafka } = { ...ALL_ABSENT, ...resolved.parts };
  const stop = async (): Promise<void> => {
    await resolved.stop();
    await place.forget();
  };
  return {
    databaseAdminUrl: database.url,
    sessionsRedisUrl: redisSessions.url,
    queueRedisUrl: redisQueue.url,
    kafkaBrokers: kafka.url,
    ...{ database, redisSessions, redisQueue, kafka, stop },
  };
};
