import type { PayloadAction } from '@reduxjs/toolkit';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { ERRORS } from '@shortlist/contracts/errors';
import { call, put, select, takeEvery, type Effect } from 'redux-saga/effects';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call as callEndpoint } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/live-updates.ts';
import { longDay } from '../../lib/dates.ts';
import { clearDraft, NEW_USER } from '../../lib/form/drafts.ts';
import { paths } from '../../lib/paths.ts';
import { listDestination, type Destination, type ListView } from '../../lib/state/list-view.ts';
import { page } from '../../lib/state/page.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { userCommands, type UserCommand, type UserCommandName } from '../../lib/state/user-commands.ts';
import { usersText } from '../../messages/users.ts';

type Saga = Generator<Effect, void, unknown>;

/** What follows the success of a command. */
type Success = {
  /** The owner of the draft that the command has saved. */
  draft?: string;
  area?: 'directory' | 'profile';
  toast?: string;
  destination?: (listView: ListView) => Destination;
};

type Outcome = Success | { failure: Failure };

type Perform<Name extends UserCommandName> = (
  command: Extract<UserCommand, { name: Name }>,
  token: string | null,
) => Promise<Success>;

type SignedUp = Pick<UserView, 'email' | 'picture'> & { isPending?: boolean };

const loginAfterSignUp = ({ email, picture, isPending = false }: SignedUp): Destination => {
  const signUp = isPending ? 'pending' : 'success';
  const query = new URLSearchParams({ signUp, email, picture: picture ?? '' });
  return { to: `${paths.login}?${query.toString()}` };
};

const nameOf = ({ firstName, lastName }: UserView): string => `${firstName} ${lastName}`;

const unsubscribedText = (user: UserView): string => {
  const { premiumUntil } = user.subscription;
  if (user.plan === 'free' || premiumUntil === null) return usersText('nowFree');
  return usersText('staysPremium', { name: nameOf(user), day: longDay(premiumUntil) });
};

/** The agreed text for every failure but the one that says what to do instead. */
const unsubscribeFailure = (failure: Failure): Failure =>
  failure.code === 'billing.period_not_paid'
    ? failure
    : { ...failure, message: ERRORS['billing.unsubscribe_failed'][1] };

// Destinations: docs/product.md.
const COMMANDS: { [Name in UserCommandName]: Perform<Name> } = {
  load: () => Promise.resolve({ area: 'directory' }),
  add: async ({ form }, token) => {
    await callEndpoint(publicEndpoints.signup, form, { token });
    // Without the list's filters, which could hide the new user.
    const destination = (): Destination => ({ to: `${paths.userList}?newUserCreated=true` });
    return { draft: NEW_USER, area: 'directory', destination };
  },
  update: async ({ id, form }, token) => {
    await callEndpoint(publicEndpoints.updateUser, form, { token, params: { id } });
    return { draft: id, area: 'directory', destination: (view) => listDestination(view, 'userUpdated') };
  },
  remove: async ({ id }, token) => {
    await callEndpoint(publicEndpoints.deleteUser, { id }, { token });
    return { area: 'directory', destination: () => ({ to: paths.userDeleted }) };
  },
  grant: async ({ id }, token) => {
    const { data } = await callEndpoint(publicEndpoints.grantPlan, { userId: id }, { token });
    return { area: 'directory', toast: usersText('nowPremium', { name: nameOf(data) }) };
  },
  revoke: async ({ id, when, reason }, token) => {
    // Without a body, as agreed, when the plan ends now and no reason is given.
    const choice = when === 'now' && reason === '' ? {} : { when, reason };
    const { data } = await callEndpoint(publicEndpoints.revokePlan, { userId: id, ...choice }, { token });
    return { area: 'directory', toast: unsubscribedText(data) };
  },
  signUp: async ({ form }) => {
    const { data } = await callEndpoint(publicEndpoints.signup, form);
    return { destination: () => loginAfterSignUp(data) };
  },
  saveProfile: async ({ id, form }, token) => {
    await callEndpoint(publicEndpoints.updateUser, form, { token, params: { id } });
    const destination = (): Destination => ({ to: paths.home });
    return { draft: id, area: 'profile', toast: usersText('profileSaved'), destination };
  },
};

const perform = async <Name extends UserCommandName>(
  command: Extract<UserCommand, { name: Name }>,
  token: string | null,
): Promise<Outcome> => {
  try {
    return await COMMANDS[command.name](command, token);
  } catch (thrown) {
    const failure = failureOf(thrown);
    return { failure: command.name === 'revoke' ? unsubscribeFailure(failure) : failure };
  }
};

const tokenFor = (name: UserCommandName, { adminAuth, endUserAuth }: RootState): string | null =>
  name === 'saveProfile' ? endUserAuth.endUserToken : adminAuth.token;

function* run({ payload: command }: PayloadAction<UserCommand>): Saga {
  const token = tokenFor(command.name, (yield select()) as RootState);
  if (token === null && command.name !== 'signUp') return;
  const outcome = (yield call(perform, command, token)) as Outcome;
  if ('failure' in outcome) {
    yield put(userCommands.failed({ name: command.name, failure: outcome.failure }));
    return;
  }
  const { draft, area, toast, destination } = outcome;
  if (draft !== undefined) yield call(clearDraft, draft);
  // The button stays busy until the new data is loaded, so that the screen never shows the old state as the result.
  if (area !== undefined) yield call(revalidate, [area]);
  yield put(userCommands.succeeded(command.name));
  if (toast !== undefined) yield put(toasts.added(toast));
  if (destination === undefined) return;
  const { listView } = (yield select()) as RootState;
  yield put(page.goToRequested(destination(listView)));
}

/** Runs the commands of `useUserCommand`. A page with such a command starts it with `useSaga`. */
export function* userCommandsSaga(): Saga {
  yield takeEvery(userCommands.requested.type, run);
}
