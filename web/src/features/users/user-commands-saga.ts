import type { PayloadAction } from '@reduxjs/toolkit';
import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { call, put, select, takeEvery, type Effect } from 'redux-saga/effects';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call as callEndpoint } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { clearDraft, NEW_USER } from '../../lib/form/drafts.ts';
import { paths } from '../../lib/paths.ts';
import { listDestination, type ListView, type Destination } from '../../lib/state/list-view.ts';
import { page } from '../../lib/state/page.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { userCommands, type UserCommand } from '../../lib/state/user-commands.ts';

type Saga = Generator<Effect, void, unknown>;
type Result = { user: UserView | null } | { failure: Failure };

const UNSUBSCRIBED = 'User has been unsubscribed and is now Free.';
const UNSUBSCRIBE_FAILED = 'Failed to unsubscribe user.';

const perform = async (command: UserCommand, token: string): Promise<UserView | null> => {
  switch (command.name) {
    case 'load':
      return null;
    case 'add':
      await callEndpoint(publicDoors.signup, command.form, { token });
      return null;
    case 'update':
      return (await callEndpoint(publicDoors.updateUser, command.form, { token, params: { id: command.id } }))
        .data;
    case 'remove':
      await callEndpoint(publicDoors.deleteUser, { id: command.id }, { token });
      return null;
    case 'grant':
      return (await callEndpoint(publicDoors.grantPlan, { userId: command.id }, { token })).data;
    case 'revoke':
      return (await callEndpoint(publicDoors.revokePlan, { userId: command.id }, { token })).data;
  }
};

const settle = async (command: UserCommand, token: string): Promise<Result> => {
  try {
    return { user: await perform(command, token) };
  } catch (thrown) {
    const failure = failureOf(thrown);
    return { failure: command.name === 'revoke' ? { ...failure, message: UNSUBSCRIBE_FAILED } : failure };
  }
};

/** Where a command leads, if anywhere. Source: spec.md §7. */
const destinationOf = (name: UserCommand['name'], left: ListView): Destination | null => {
  if (name === 'update') return listDestination(left, 'userUpdated');
  if (name === 'remove') return { to: paths.userDeleted };
  // Not as it was left: a filter could hide the very user that was just created.
  return name === 'add' ? { to: `${paths.userList}?newUserCreated=true` } : null;
};

const toastFor = (name: UserCommand['name'], user: UserView | null): string | null => {
  if (name === 'revoke') return UNSUBSCRIBED;
  return name === 'grant' && user !== null ? `${user.firstName} ${user.lastName} is now Premium.` : null;
};

function* run({ payload: command }: PayloadAction<UserCommand>): Saga {
  const { adminAuth } = (yield select()) as RootState;
  if (adminAuth.token === null) return;
  const result = (yield call(settle, command, adminAuth.token)) as Result;
  if ('failure' in result) {
    yield put(userCommands.failed({ name: command.name, failure: result.failure }));
    return;
  }
  if (command.name === 'update') clearDraft(command.id);
  if (command.name === 'add') clearDraft(NEW_USER);
  // The new state is read before the button is free again, so that it never shows the old one.
  yield call(revalidate, ['directory']);
  yield put(userCommands.succeeded({ name: command.name, user: result.user }));
  const text = toastFor(command.name, result.user);
  if (text !== null) yield put(toasts.added(text));
  const next = destinationOf(command.name, ((yield select()) as RootState).listView);
  if (next !== null) yield put(page.goToRequested(next));
}

export function* userCommandsSaga(): Saga {
  yield takeEvery(userCommands.requested.type, run);
}
