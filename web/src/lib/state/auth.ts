import { type Action, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { LogInReply, SecondStep } from '@shortlist/contracts/api/log-in';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { ADMIN_TOKEN, readItem, USER_TOKEN } from '../storage.ts';

/** 'checking': the stored token is being checked; 'unreachable': the check is retried; 'settled': accepted or removed. */
type AuthPhase = 'checking' | 'unreachable' | 'settled';

/**
 * Why a session has ended. 'revoked': the server refused the token before its time was over, as after a log-out on another device.
 * The login page announces an end that the user has not caused in this browser.
 */
type EndReason = 'logout' | 'otherTab' | 'expired' | 'revoked';
export type Ended = { token: string; reason: EndReason };

/** A session that the server has accepted. */
export type Started = {
  token: string;
  remainingTime: number;
  /** Of an end user. */
  user?: UserView;
  subscription?: SubscriptionView;
  deletionDueAt?: string;
  /** Of an admin. */
  role?: AdminRole;
  needsSecondFactor?: boolean;
};

/** The session of an end user or of an admin. */
export type Session = {
  isLoggedIn: boolean;
  token: string | null;
  errors: string[];
  phase: AuthPhase;
  busy: boolean;
  expired: boolean;
  /** The second step of a log-in whose password was right. */
  secondStep: SecondStep | null;
  /** The end user; null for an admin. */
  user: UserView | null;
  /** The end user's subscription at the start of the session, where a payment for it was in trouble. */
  subscription: SubscriptionView | null;
  /** When the account is deleted, as the user has requested: the session may only keep it. */
  deletionDueAt: string | null;
  /** The admin's role; null for an end user, and until the server has sent it. */
  role: AdminRole | null;
  /** The session may only set up a second factor. */
  needsSecondFactor: boolean;
};

const NO_SESSION = {
  isLoggedIn: false,
  token: null,
  phase: 'settled',
  busy: false,
  expired: false,
  user: null,
  subscription: null,
  deletionDueAt: null,
  role: null,
  needsSecondFactor: false,
} as const;

const createAuthSlice = (name: string, storageKey: string) =>
  createSlice({
    name,
    initialState: (): Session => {
      const token = readItem(storageKey);
      const phase = token === null ? 'settled' : 'checking';
      return { ...NO_SESSION, errors: [], secondStep: null, token, phase };
    },
    reducers: {
      loginRequested: (state, _: PayloadAction<LoginInput>) => {
        state.busy = true;
        state.errors = [];
        state.expired = false;
      },
      secondStepRequested: (state, { payload }: PayloadAction<SecondStep>) => {
        state.busy = false;
        state.secondStep = payload;
      },
      /** Back to the password, with the reason why the second step has ended. */
      secondStepLeft: (state, { payload }: PayloadAction<string | null>) => {
        state.secondStep = null;
        if (payload !== null) state.errors.push(payload);
      },
      /** The server has accepted a second step or a passkey. */
      loginCompleted: (_state, _: PayloadAction<LogInReply>) => undefined,
      secondFactorSetUp: (state) => {
        state.needsSecondFactor = false;
      },
      loginFailed: (state, { payload }: PayloadAction<string | null>) => {
        state.busy = false;
        if (payload !== null) state.errors.push(payload);
      },
      errorsDismissed: (state) => {
        state.errors = [];
        state.expired = false;
      },
      checkRequested: (state, { payload }: PayloadAction<string>) => {
        state.token = payload;
        if (!state.isLoggedIn) state.phase = 'checking';
      },
      checkUnreachable: (state) => {
        if (!state.isLoggedIn) state.phase = 'unreachable';
      },
      started: (_state, { payload }: PayloadAction<Started>): Session => ({
        ...NO_SESSION,
        isLoggedIn: true,
        token: payload.token,
        errors: [],
        secondStep: null,
        user: payload.user ?? null,
        subscription: payload.subscription ?? null,
        deletionDueAt: payload.deletionDueAt ?? null,
        role: payload.role ?? null,
        needsSecondFactor: payload.needsSecondFactor === true,
      }),
      /** A later response for the same session. After a log-out it must not restore the session. */
      refreshed: (state, { payload }: PayloadAction<Started & { user: UserView }>) => {
        if (state.isLoggedIn && state.token === payload.token) state.user = payload.user;
      },
      logoutRequested: () => undefined,
      ended: (state, { payload: { reason } }: PayloadAction<Ended>): Session => {
        const wasLoggedIn = state.isLoggedIn || state.phase !== 'settled';
        const isAnnounced = reason === 'expired' || reason === 'revoked';
        return { ...state, ...NO_SESSION, expired: isAnnounced && wasLoggedIn };
      },
    },
  });

const adminSlice = createAuthSlice('adminAuth', ADMIN_TOKEN);
const endUserSlice = createAuthSlice('endUserAuth', USER_TOKEN);

export type AuthActions = typeof endUserSlice.actions;
export const adminAuth = adminSlice.actions;
export const adminAuthReducer = adminSlice.reducer;
export const endUserAuth = endUserSlice.actions;

/** The end user's session in the store, under the names of docs/product.md. */
const toEndUserAuth = ({ isLoggedIn, token, errors, user, ...others }: Session) => ({
  ...others,
  isEndUserLoggedIn: isLoggedIn,
  endUserToken: token,
  endUserAuthError: errors,
  endUserInfo: user,
});

type EndUserAuth = ReturnType<typeof toEndUserAuth>;

export const endUserSession = (auth: EndUserAuth): Session => {
  const { isEndUserLoggedIn, endUserToken, endUserAuthError, endUserInfo, ...others } = auth;
  return {
    ...others,
    isLoggedIn: isEndUserLoggedIn,
    token: endUserToken,
    errors: endUserAuthError,
    user: endUserInfo,
  };
};

export const endUserAuthReducer = (auth: EndUserAuth | undefined, action: Action): EndUserAuth => {
  if (auth === undefined) return toEndUserAuth(endUserSlice.reducer(undefined, action));
  const session = endUserSession(auth);
  const next = endUserSlice.reducer(session, action);
  return next === session ? auth : toEndUserAuth(next);
};

/** The address that was typed on the way to a session. It is never stored. */
const loginEmailSlice = createSlice({
  name: 'loginEmail',
  initialState: '',
  reducers: {
    typed: (_, { payload }: PayloadAction<string>) => payload.trim(),
  },
  extraReducers: (builder) => {
    for (const { loginRequested, started } of [endUserAuth, adminAuth]) {
      builder.addCase(loginRequested, (_, { payload }) => payload.email);
      // The next person at this computer does not see it.
      builder.addCase(started, () => '');
    }
  },
});

export const loginEmail = loginEmailSlice.actions;
export const loginEmailReducer = loginEmailSlice.reducer;
