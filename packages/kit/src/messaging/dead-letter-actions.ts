import {
  type DeadLetterDetail,
  type DeadLetterView,
  DEAD_LETTERS_MAX,
} from '@shortlist/contracts/api/status';
import { createError } from '../process/errors.ts';
import { maskSecrets } from '../process/mask-secrets.ts';
import type { Bus } from './bus.ts';
import {
  compareDeadLetters,
  type DeadLetter,
  hasEarlier,
  listDeadLetters,
  replayDeadLetter,
  settleDeadLetter,
} from './dead-letters.ts';

/** An unreadable batch may be long, and nobody can read it. */
const CONTENT_MAX = 20_000;
/** An invalid message may say anything, at any length. */
const NAME_MAX = 100;

const present = (deadLetter: DeadLetter, all: readonly DeadLetter[]): DeadLetterView => {
  const { id, type, subject, time, message: _, cause, ...letter } = deadLetter;
  return {
    ...letter,
    eventId: id.slice(0, NAME_MAX),
    type: type.slice(0, NAME_MAX),
    subject: subject.slice(0, NAME_MAX),
    time: time.slice(0, NAME_MAX),
    cause: maskSecrets(cause),
    hasEarlier: hasEarlier(all, deadLetter),
  };
};

/**
 * What an admin reads and does of the dead letters of a consumer. Two admins who replay the same one at once publish it twice, which handlers
 * tolerate.
 */
export const createDeadLetterActions = (bus: Bus, consumer: string) => {
  /** Throws `service.dead_letter_not_found`. */
  const find = async (position: string): Promise<{ deadLetter: DeadLetter; all: DeadLetter[] }> => {
    const all = await listDeadLetters(bus, consumer);
    const deadLetter = all.find((one) => one.position === position);
    if (deadLetter === undefined) throw createError('service.dead_letter_not_found');
    return { deadLetter, all };
  };
  return {
    /** The oldest, which must be replayed first. */
    list: async (): Promise<DeadLetterView[]> => {
      const all = (await listDeadLetters(bus, consumer)).toSorted(compareDeadLetters);
      return all.slice(0, DEAD_LETTERS_MAX).map((one) => present(one, all));
    },

    get: async (position: string): Promise<DeadLetterDetail> => {
      const { deadLetter, all } = await find(position);
      const content = maskSecrets(deadLetter.message.value).slice(0, CONTENT_MAX);
      return { ...present(deadLetter, all), content };
    },

    /** Throws `service.earlier_dead_letter`: the events of a user are handled in the order in which they came. */
    replay: async (position: string): Promise<void> => {
      const { deadLetter, all } = await find(position);
      if (deadLetter.isUnreadable) throw createError('service.unreadable_dead_letter');
      if (hasEarlier(all, deadLetter)) throw createError('service.earlier_dead_letter');
      await replayDeadLetter(bus, consumer, deadLetter);
    },

    discard: async (position: string): Promise<void> => {
      const { deadLetter } = await find(position);
      await settleDeadLetter(bus, consumer, deadLetter);
    },
  };
};

export type DeadLetterActions = ReturnType<typeof createDeadLetterActions>;
