import type { PayloadAction } from '@reduxjs/toolkit';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { call, put, select, takeEvery, type Effect } from 'redux-saga/effects';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call as callDoor } from '../../lib/api/call.ts';
import { readAgain } from '../../lib/data/stale.ts';
import { forgetDraft, NEW_USER } from '../../lib/form/drafts.ts';
import { paths } from '../../lib/paths.ts';
import { listPlace, type ListLeft, type Place } from '../../lib/state/list-left.ts';
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
      await callDoor(publicEndpoints.signup, command.form, { token });
      return null;
    case 'update':
      return (await callDoor(publicEndpoints.updateUser, command.form, { token, params: { id: command.id } }))
        .data;
    case 'remove':
      await callDoor(publicEndpoints.deleteUser, { id: command.id }, { token });
      return null;
    case 'grant':
      return (await callDoor(publicEndpoints.grantPlan, { userId: command.id }, { token })).data;
    case 'revoke':
      return (await callDoor(publicEndpoints.revokePlan, { userId: command.id }, { token })).data;
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
const nextOf = (name: UserCommand['name'], left: ListLeft): Place | null => {
  if (name === 'update') return listPlace(left, 'userUpdated');
  if (name === 'remove') return { to: paths.userDeleted };
  // Not as it was left: a filter could hide the very user that was just created.
  return name === 'add' ? { to: `${paths.userList}?newUserCreated=true` } : null;
};

const wordsFor = (name: UserCommand['name'], user: UserView | null): string | null => {
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
  if (command.name === 'update') forgetDraft(command.id);
  if (command.name === 'add') forgetDraft(NEW_USER);
  // The new state is read before the button is free again, so that it never shows the old one.
  yield call(readAgain, ['directory']);
  yield put(userCommands.succeeded({ name: command.name, user: result.user }));
  const words = wordsFor(command.name, result.user);
  if (words !== null) yield put(toasts.shown(words));
  const next = nextOf(command.name, ((yield select()) as RootState).listLeft);
  if (next !== null) yield put(page.goToRequested(next));
}

export function* userCommandsSaga(): Saga {
  yield takeEvery(userCommands.requested.type, run);
}
