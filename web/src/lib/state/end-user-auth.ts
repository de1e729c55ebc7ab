import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LogInReply, SecondStep } from '@shortlist/contracts/api/public-sessions';
import type { UserView } from '@shortlist/contracts/api/public';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { readItem, USER_TOKEN } from '../storage.ts';

/** 'checking': the stored token is being checked; 'unreachable': the check is retried; 'settled': accepted or removed. */
export type AuthPhase = 'checking' | 'unreachable' | 'settled';
export type Started<Extra = unknown> = { token: string; remainingTime: number } & Extra;
/**
 * Why a session has ended. 'revoked': the server refused the token before its time was over, as after a log-out on another device.
 * The login page announces an end that the user has not caused in this browser.
 */
type EndReason = 'logout' | 'otherTab' | 'expired' | 'revoked';
export const isAnnounced = (reason: EndReason): boolean => reason === 'expired' || reason === 'revoked';
export type Ended = { token: string; reason: EndReason };

type EndUserAuth = {
  isEndUserLoggedIn: boolean;
  endUserToken: string | null;
  endUserAuthError: string[];
  endUserInfo: UserView | null;
  phase: AuthPhase;
  busy: boolean;
  expired: boolean;
  /** When the account is deleted, as the user has requested: the session may only keep it. */
  deletionDueAt: string | null;
  /** The second step of a log-in whose password was right. */
  secondStep: SecondStep | null;
};

const initialState = (): EndUserAuth => {
  const endUserToken = readItem(USER_TOKEN);
  return {
    isEndUserLoggedIn: false,
    endUserToken,
    endUserAuthError: [],
    endUserInfo: null,
    phase: endUserToken === null ? 'settled' : 'checking',
    busy: false,
    expired: false,
    deletionDueAt: null,
    secondStep: null,
  };
};

const slice = createSlice({
  name: 'endUserAuth',
  initialState,
  reducers: {
    loginRequested: (state, _: PayloadAction<LoginInput>) => {
      state.busy = true;
      state.endUserAuthError = [];
      state.expired = false;
    },
    secondStepRequested: (state, { payload }: PayloadAction<SecondStep>) => {
      state.busy = false;
      state.secondStep = payload;
    },
    /** Back to the password, with the reason why the second step has ended. */
    secondStepLeft: (state, { payload }: PayloadAction<string | null>) => {
      state.secondStep = null;
      if (payload !== null) state.endUserAuthError.push(payload);
    },
    /** The server has accepted a second step or a passkey. */
    loginCompleted: (_state, _: PayloadAction<LogInReply>) => undefined,
    loginFailed: (state, { payload }: PayloadAction<string | null>) => {
      state.busy = false;
      if (payload !== null) state.endUserAuthError.push(payload);
    },
    errorsDismissed: (state) => {
      state.endUserAuthError = [];
      state.expired = false;
    },
    checkRequested: (state, { payload }: PayloadAction<string>) => {
      state.endUserToken = payload;
      if (!state.isEndUserLoggedIn) state.phase = 'checking';
    },
    checkUnreachable: (state) => {
      if (!state.isEndUserLoggedIn) state.phase = 'unreachable';
    },
    started: (state, { payload }: PayloadAction<Started<{ user: UserView; deletionDueAt?: string }>>) => {
      state.isEndUserLoggedIn = true;
      state.deletionDueAt = payload.deletionDueAt ?? null;
      state.endUserToken = payload.token;
      state.endUserInfo = payload.user;
      state.endUserAuthError = [];
      state.secondStep = null;
      state.phase = 'settled';
      state.busy = false;
      state.expired = false;
    },
    /** A later response for the same session. After a log-out it must not restore the session. */
    refreshed: (state, { payload }: PayloadAction<Started<{ user: UserView }>>) => {
      if (state.isEndUserLoggedIn && state.endUserToken === payload.token) state.endUserInfo = payload.user;
    },
    logoutRequested: () => undefined,
    ended: (state, { payload }: PayloadAction<Ended>) => {
      const wasLoggedIn = state.isEndUserLoggedIn || state.phase !== 'settled';
      state.isEndUserLoggedIn = false;
      state.endUserToken = null;
      state.endUserInfo = null;
      state.deletionDueAt = null;
      state.phase = 'settled';
      state.busy = false;
      state.expired = isAnnounced(payload.reason) && wasLoggedIn;
    },
  },
});

export const endUserAuth = slice.actions;
export const endUserAuthReducer = slice.reducer;
