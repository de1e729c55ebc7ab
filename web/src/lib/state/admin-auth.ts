import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { LogInReply, SecondStep } from '@shortlist/contracts/api/public-sessions';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { ADMIN_TOKEN, readItem } from '../storage.ts';
import { isAnnounced, type AuthPhase, type Ended, type Started } from './end-user-auth.ts';

type AdminAuth = {
  isLoggedIn: boolean;
  token: string | null;
  errors: string[];
  phase: AuthPhase;
  busy: boolean;
  expired: boolean;
  /** The second step of a log-in whose password was right. */
  secondStep: SecondStep | null;
  /** The session may only set up a second factor. */
  needsSecondFactor: boolean;
  /** Null until the server has said it. */
  role: AdminRole | null;
};

const initialState = (): AdminAuth => {
  const token = readItem(ADMIN_TOKEN);
  return {
    isLoggedIn: false,
    token,
    errors: [],
    phase: token === null ? 'settled' : 'checking',
    busy: false,
    expired: false,
    secondStep: null,
    needsSecondFactor: false,
    role: null,
  };
};

const slice = createSlice({
  name: 'adminAuth',
  initialState,
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
    started: (
      state,
      { payload }: PayloadAction<Started<{ role: AdminRole; needsSecondFactor?: boolean }>>,
    ) => {
      state.isLoggedIn = true;
      state.token = payload.token;
      state.errors = [];
      state.secondStep = null;
      state.needsSecondFactor = payload.needsSecondFactor === true;
      state.role = payload.role;
      state.phase = 'settled';
      state.busy = false;
      state.expired = false;
    },
    logoutRequested: () => undefined,
    ended: (state, { payload }: PayloadAction<Ended>) => {
      const wasLoggedIn = state.isLoggedIn || state.phase !== 'settled';
      state.isLoggedIn = false;
      state.token = null;
      state.role = null;
      state.phase = 'settled';
      state.busy = false;
      state.expired = isAnnounced(payload.reason) && wasLoggedIn;
    },
  },
});

export const adminAuth = slice.actions;
export const adminAuthReducer = slice.reducer;
