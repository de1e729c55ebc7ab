import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware, { type Task } from 'redux-saga';
import { layoutSaga } from '../features/layout/layout-saga.ts';
import { sessionSaga } from '../features/session/session-saga.ts';
import { reducers } from '../lib/state/reducers.ts';
import type { Saga } from '../lib/state/hooks.tsx';

const createStore = (middleware: ReturnType<typeof createSagaMiddleware>) =>
  configureStore({
    reducer: combineReducers(reducers),
    middleware: (defaults) =>
      // Actions carry forms with files, which cannot be serialized. They never become part of the state.
      defaults({ thunk: false, serializableCheck: { ignoreActions: true } }).concat(middleware),
    devTools: import.meta.env.DEV,
  });

export type AppStore = ReturnType<typeof createStore>;

/** Creates the store and starts the sagas that every page needs. `startSaga` adds one, unless it already runs. */
export const startStore = () => {
  const middleware = createSagaMiddleware();
  const store = createStore(middleware);
  const tasks = new Map<Saga, Task>();
  const startSaga = (saga: Saga): void => {
    if (!tasks.has(saga)) tasks.set(saga, middleware.run(saga));
  };
  const stop = (): void => {
    for (const task of tasks.values()) task.cancel();
  };
  startSaga(layoutSaga);
  startSaga(sessionSaga);
  return { store, startSaga, stop };
};
