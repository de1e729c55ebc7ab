// Which window a person's last spend counted in, so that the next one need not look. A hint is never trusted: the UPDATE that
// takes the credit holds it against the plan's version and the window's own end, and who is refused by it looks again.
import type { PlanState } from '@shortlist/contracts/plan';
import type { WindowRow } from './window.entity.ts';

type Hint = { state: PlanState; window: WindowRow };
export type Hints = {
  get: (userId: string) => Hint | undefined;
  keep: (userId: string, hint: Hint) => void;
};

const MOST = 10_000;

export const createHints = (): Hints => {
  const held = new Map<string, Hint>();
  return {
    get: (userId) => held.get(userId),
    keep: (userId, hint) => {
      const oldest = held.size < MOST ? undefined : held.keys().next().value;
      if (oldest !== undefined) held.delete(oldest);
      held.set(userId, hint);
    },
  };
};
