/** The parsed state of an audit entry. Its values are those of the version that wrote it, so none is taken for granted. */
export type State = Record<string, unknown>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

export const stateOf = (value: unknown): State => (isState(value) ? value : {});

/** A value as text; null without one. */
export const textOf = (state: State, name: string): string | null => {
  const value = state[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The end of premium in a plan state: that of the paid or of the granted period, whichever is later. */
export const premiumEnd = (state: State): string | null => {
  const ends = ['paid', 'granted'].map((name) => textOf(stateOf(state[name]), 'end'));
  return ends.reduce((latest, end) => (latest === null || (end !== null && end > latest) ? end : latest));
};
