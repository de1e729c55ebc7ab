/** The result that a client received. `unknown`: the connection broke, so the operation may or may not have taken effect. */
export type Outcome = 'acked' | 'refused' | 'unknown';
type Kind = 'sign_up' | 'payment' | 'spend' | 'deletion';
export type Operation = { kind: Kind; id: string; userId: string; outcome: Outcome };

/** Every operation that clients requested, with its result; compared with the databases at the end. */
export type History = { record: (operation: Operation) => void; all: () => readonly Operation[] };

export const createHistory = (): History => {
  const operations = new Map<string, Operation>();
  return {
    // A retry under the same id can turn unknown into another outcome; an acked operation stays acked.
    record: (operation) => {
      const key = `${operation.kind} ${operation.id}`;
      if (operations.get(key)?.outcome !== 'acked') operations.set(key, operation);
    },
    all: () => [...operations.values()],
  };
};
