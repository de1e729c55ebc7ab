import { inSeconds, minutes } from '@shortlist/contracts/durations';
import {
  type DeadLetter,
  listDeadLetters,
  replayDeadLetters,
  settleDeadLetters,
} from '@shortlist/kit/messaging/dead-letters';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import type { Environment } from '@shortlist/kit/process/config';
import { createLog } from '@shortlist/kit/process/log';
import {
  type Action,
  type Command,
  EXIT,
  type ExitCode,
  JSON_OPTION,
  YES_OPTION,
  isConfirmed,
} from '../command.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(2));
const ALL = 'all';

const describe = ({ id, position, type, subject, time, cause, topic }: DeadLetter): string =>
  [
    id,
    `  ${type} of ${subject}, ${time}, from ${topic}; dead letter at ${position} (partition:offset)`,
    `  ${cause}`,
  ].join('\n');

const countOf = (letters: readonly DeadLetter[]): string =>
  `${letters.length} dead letter${letters.length === 1 ? '' : 's'}`;

const ADVICE =
  'An unreadable batch cannot be replayed. Its events are published again from the outbox of their service (shortlist outbox republish), and then: shortlist dead settle <id>. See docs/runbooks/UnreadableBatches.md';

const isUnreadable = ({ isUnreadable: unreadable }: DeadLetter): boolean => unreadable;

/** Without the content, which may be personal data; `show` prints it for one dead letter. */
const listed = ({ message: _, ...letter }: DeadLetter): object => letter;

const withBus = async <T>(env: Environment, work: (bus: Bus) => Promise<T>): Promise<T> => {
  const log = createLog('dead', 'silent');
  const bus = createKafka({ clientId: 'dead', log, settings: readKafkaSettings(env) });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
};

const list = (consumer: string): Action => ({
  name: 'list',
  about: `lists the dead letters of ${consumer}`,
  words: [],
  options: JSON_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async ({ options, env, terminal: { print } }) => {
    const letters = await withBus(env, (bus) => listDeadLetters(bus, consumer));
    if (options['json'] === true) {
      print(JSON.stringify(letters.map(listed)));
      return EXIT.done;
    }
    for (const letter of letters) print(describe(letter));
    if (letters.length === 0) print(`${consumer} has no dead letters.`);
    else print(`${countOf(letters)}. Once the cause is fixed: shortlist dead replay <id>, or replay all`);
    if (letters.some(isUnreadable)) print(ADVICE);
    return EXIT.done;
  },
});

const notFound = (consumer: string, id: string): string => `${consumer} has no dead letter ${id}.`;

const show = (consumer: string): Action => ({
  name: 'show',
  about: 'prints a dead letter with its content',
  words: ['id'],
  options: JSON_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async ({ words: [id = ''], options, env, terminal: { print, printError } }) => {
    const letters = await withBus(env, (bus) => listDeadLetters(bus, consumer));
    const selected = letters.filter((letter) => letter.id === id);
    if (options['json'] === true) print(JSON.stringify(selected));
    else for (const letter of selected) print(`${describe(letter)}\n  ${letter.message.value}`);
    if (selected.length === 0) printError(notFound(consumer, id));
    return selected.length === 0 ? EXIT.failed : EXIT.done;
  },
});

const replay = (consumer: string): Action => ({
  name: 'replay',
  words: [`id|${ALL}`],
  options: YES_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  about: 'publishes dead letters again to their topics: those with this id, or all',
  run: async (invocation): Promise<ExitCode> => {
    const { words, env, terminal } = invocation;
    const [selection = ''] = words;
    const question = `Replay all dead letters of ${consumer}?`;
    if (selection === ALL && !(await isConfirmed(invocation, question))) return EXIT.failed;
    const { letters, unreadable } = await withBus(env, async (bus) => ({
      letters: await replayDeadLetters(bus, consumer, selection),
      unreadable: (await listDeadLetters(bus, consumer)).filter(isUnreadable),
    }));
    for (const letter of letters) terminal.print(describe(letter));
    if (letters.length === 0 && selection !== ALL) {
      const isListed = unreadable.some(({ id }) => id === selection);
      terminal.printError(isListed ? ADVICE : notFound(consumer, selection));
      return EXIT.failed;
    }
    terminal.print(`${countOf(letters)} published again for ${consumer}.`);
    if (selection === ALL && unreadable.length > 0) terminal.print(`${countOf(unreadable)} left. ${ADVICE}`);
    return EXIT.done;
  },
});

const settle = (consumer: string): Action => ({
  name: 'settle',
  words: ['id'],
  options: YES_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  about: 'records a dead letter as done without publishing it',
  run: async (invocation): Promise<ExitCode> => {
    const { words, env, terminal } = invocation;
    const [id = ''] = words;
    if (!(await isConfirmed(invocation, `Settle ${id} without a replay?`))) return EXIT.failed;
    const letters = await withBus(env, (bus) => settleDeadLetters(bus, consumer, id));
    for (const letter of letters) terminal.print(describe(letter));
    if (letters.length === 0) terminal.printError(notFound(consumer, id));
    else terminal.print(`${countOf(letters)} of ${consumer} settled.`);
    return letters.length === 0 ? EXIT.failed : EXIT.done;
  },
});

/** The command for the dead letters of one consumer. */
export const deadCommand = (consumer: string): Command => ({
  actions: [list(consumer), show(consumer), replay(consumer), settle(consumer)],
});
