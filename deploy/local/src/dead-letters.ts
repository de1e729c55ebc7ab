// make dead s=credits [replay=all|<id>]: lists the dead letters of a consumer, or publishes them again.
import { type DeadLetter, listDeadLetters, replayDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { environment } from './host/config.ts';
import { messageOf } from './host/errors.ts';
import { print, printError } from './host/print.ts';
import { RUNNING_FILE } from './state/local-files.ts';
import { findRunning } from './state/pid-file.ts';
import { BACKING_OFFSET } from './system/system-ports.ts';

const CONSUMERS = ['profile', 'billing', 'credits', 'worker', 'bff'];

const findBrokers = (): string | null => {
  const configured = environment().KAFKA_BROKERS;
  if (configured) return configured;
  const running = findRunning(RUNNING_FILE);
  return running && `127.0.0.1:${running.base + BACKING_OFFSET + 3}`;
};

const describe = ({ id, position, type, subject, time, cause, topic }: DeadLetter): string =>
  [
    id,
    `  ${type} of ${subject}, ${time}, from ${topic}; dead letter at ${position} (partition:offset)`,
    `  ${cause}`,
  ].join('\n');

const countOf = (letters: DeadLetter[]): string =>
  `${letters.length} dead letter${letters.length === 1 ? '' : 's'}`;

type Command = { brokers: string; consumer: string; replay: string };

const execute = async ({ brokers, consumer, replay }: Command): Promise<void> => {
  const log = createLog('dead', 'silent');
  const bus = createKafka({
    ...{ clientId: 'dead', log },
    settings: readKafkaSettings({ ...environment(), KAFKA_BROKERS: brokers }),
  });
  try {
    const letters = replay
      ? await replayDeadLetters(bus, consumer, replay)
      : await listDeadLetters(bus, consumer);
    for (const letter of letters) print(describe(letter));
    if (replay) print(`${countOf(letters)} published again for ${consumer}.`);
    else if (letters.length === 0) print(`${consumer} has no dead letters.`);
    else print(`${countOf(letters)}. Once the cause is fixed: make dead s=${consumer} replay=all`);
  } finally {
    await bus.close();
  }
};

const main = async ([consumer = '', replay = '']: string[]): Promise<number> => {
  if (!CONSUMERS.includes(consumer)) {
    printError(`Name the consumer: one of ${CONSUMERS.join(', ')}, as in: make dead s=credits`);
    return 2;
  }
  const brokers = findBrokers();
  if (brokers === null) {
    printError('Shortlist is not running from this folder; run `make start` first, or set KAFKA_BROKERS.');
    return 1;
  }
  try {
    await execute({ brokers, consumer, replay });
    return 0;
  } catch (error) {
    printError(messageOf(error));
    return 1;
  }
};

process.exit(await main(process.argv.slice(2)));
