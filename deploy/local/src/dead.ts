// make dead s=credits [replay=all|<id>]: what a service could not handle, and the way to have it try again.
import { type DeadLetter, listDeadLetters, replayDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { createLog } from '@shortlist/kit/process/log';
import { environment } from './config.ts';
import { messageOf } from './errors.ts';
import { RUNNING_FILE } from './local-files.ts';
import { BACKING_OFFSET } from './processes.ts';
import { findRunning } from './running-mark.ts';
import { complain, tell } from './tell.ts';

const CONSUMERS = ['profile', 'billing', 'credits', 'worker', 'bff'];

const findBrokers = (): string | null => {
  const given = environment().KAFKA_BROKERS;
  if (given) return given;
  const running = findRunning(RUNNING_FILE);
  return running && `127.0.0.1:${running.base + BACKING_OFFSET + 3}`;
};

const describe = ({ id, position, type, subject, time, cause, topic }: DeadLetter): string =>
  [
    id,
    `  ${type} of ${subject}, ${time}, from ${topic}; parked at ${position} (partition:offset)`,
    `  ${cause}`,
  ].join('\n');

const countOf = (letters: DeadLetter[]): string =>
  `${letters.length} message${letters.length === 1 ? '' : 's'}`;

type Asked = { brokers: string; consumer: string; replay: string };

const serve = async ({ brokers, consumer, replay }: Asked): Promise<void> => {
  const log = createLog('dead', 'silent');
  const bus = createKafka({ brokers: brokers.split(','), clientId: 'dead', log });
  try {
    const letters = replay
      ? await replayDeadLetters(bus, consumer, replay)
      : await listDeadLetters(bus, consumer);
    for (const letter of letters) tell(describe(letter));
    if (replay) tell(`${countOf(letters)} published again; ${consumer} hears them now.`);
    else if (letters.length === 0) tell(`Nothing that ${consumer} heard is parked.`);
    else tell(`${countOf(letters)} parked. Once the cause is gone: make dead s=${consumer} replay=all`);
  } finally {
    await bus.close();
  }
};

const main = async ([consumer = '', replay = '']: string[]): Promise<number> => {
  if (!CONSUMERS.includes(consumer)) {
    complain(`Whose? One of ${CONSUMERS.join(', ')}, as in: make dead s=credits`);
    return 2;
  }
  const brokers = findBrokers();
  if (brokers === null) {
    complain('Shortlist does not run from this folder; say `make start` first, or give KAFKA_BROKERS.');
    return 1;
  }
  try {
    await serve({ brokers, consumer, replay });
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return 1;
  }
};

process.exit(await main(process.argv.slice(2)));
