/** What a client was told. `unknown`: the line broke, so it may or may not have happened. */
export type Outcome = 'acked' | 'refused' | 'unknown';
type Kind = 'sign_up' | 'payment' | 'spend';
export type Operation = { kind: Kind; id: string; userId: string; outcome: Outcome };

/** Every operation that clients asked for, with what they were told; held against the databases at the end. */
export type History = { note: (operation: Operation) => void; all: () => readonly Operation[] };

export const createHistory = (): History => {
  const operations = new Map<string, Operation>();
  return {
    // Asked again under the same id, what was unknown becomes known; what was acked stays so.
    note: (operation) => {
      const key = `${operation.kind} ${operation.id}`;
      if (operations.get(key)?.outcome !== 'acked') operations.set(key, operation);
    },
    all: () => [...operations.values()],
  };
};
