import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@shortlist/local/processes';
import type { System } from '@shortlist/local/system';
import { ask, setWebhooks } from '../journeys/client.ts';

type Tell = (line: string) => void;
type Parts = { system: System; random: () => number; tell: Tell };

const VICTIMS: readonly ProcessName[] = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'];

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

const killOne = ({ system, random, tell }: Parts): void => {
  const name = pick(VICTIMS, random);
  tell(`kill -9 ${name}`);
  system.process(name).kill('SIGKILL');
};

const breakProvider = async ({ system, random, tell }: Parts): Promise<void> => {
  const fault = pick(
    [{ status: 500 }, { status: 429 }, { delayMs: 4_000 }, { reset: true, times: 2 }],
    random,
  );
  tell(`the provider: ${JSON.stringify(fault)}`);
  const method = pick(['GET', 'POST'], random);
  await ask(`${system.sandboxUrl}/_sandbox/faults`, 'PUT', {
    body: { method, path: '/v1/', times: 3, ...fault },
  });
};

const breakMail = async ({ system, random, tell }: Parts): Promise<void> => {
  const fault = pick([{ status: 500 }, { status: 429 }, { reset: true }], random);
  tell(`the mail provider: ${JSON.stringify(fault)}`);
  await ask(`${system.sandboxUrl}/_sandbox/faults`, 'PUT', {
    body: { method: 'POST', path: '/v3/mail/send', times: 2, ...fault },
  });
};

const DEEDS = [killOne, killOne, killOne, breakProvider, breakMail] as const;

/** Does harm at random moments until told to stop, then leaves everything whole again. */
export const runNemesis = async (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { system, random } = parts;
  await setWebhooks(system, { drop: 0.2, duplicate: 2, shuffle: true, delayMs: 100 });
  while (!signal.aborted) {
    await sleep(500 + random() * 1_500);
    await Promise.resolve(pick(DEEDS, random)(parts)).catch(() => undefined);
  }
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
  await ask(`${system.sandboxUrl}/_sandbox/faults`, 'DELETE');
};
