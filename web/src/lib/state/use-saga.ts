import { createContext, useContext, useLayoutEffect } from 'react';
import type { Effect } from 'redux-saga/effects';

export type Saga = () => Generator<Effect, void, unknown>;

export const SagaContext = createContext<(saga: Saga) => void>(() => undefined);

/**
 * Starts a saga with the first page that needs it, so that its code loads with that page. The saga then runs as long as
 * the store: a command completes after its page has been left.
 */
export const useSaga = (saga: Saga): void => {
  const startSaga = useContext(SagaContext);
  // A layout effect precedes the page's effects, which may already dispatch actions of the saga.
  useLayoutEffect(() => startSaga(saga), [startSaga, saga]);
};
