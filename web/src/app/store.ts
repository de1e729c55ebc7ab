import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware, { type Task } from 'redux-saga';
import { all, call, type Effect } from 'redux-saga/effects';
import { layoutSaga } from '../features/layout/layout-saga.ts';
import { sessionSaga } from '../features/session/session-saga.ts';
import { userCommandsSaga } from '../features/users/user-commands-saga.ts';
import { reducers } from '../lib/state/reducers.ts';

function* rootSaga(): Generator<Effect, void, unknown> {
  yield all([call(layoutSaga), call(sessionSaga), call(userCommandsSaga)]);
}

const createStore = (saga: ReturnType<typeof createSagaMiddleware>) =>
  configureStore({
    reducer: combineReducers(reducers),
    middleware: (defaults) =>
      // Commands carry forms with files, which cannot be serialized and are never put into the state.
      defaults({ thunk: false, serializableCheck: { ignoreActions: true } }).concat(saga),
    devTools: import.meta.env.DEV,
  });

export type AppStore = ReturnType<typeof createStore>;

/** The store with its sagas running; `task` ends them. */
export const startStore = (): { store: AppStore; task: Task } => {
  const saga = createSagaMiddleware();
  const store = createStore(saga);
  return { store, task: saga.run(rootSaga) };
};
