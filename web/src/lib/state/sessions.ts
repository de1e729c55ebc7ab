import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { LogInReply, SecondStep } from '@shortlist/contracts/api/authentication';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { ADMIN_TOKEN, readItem, USER_TOKEN } from '../storage.ts';

/** 'checking': the stored token is being checked; 'unreachable': the check is retried; 'settled': accepted or removed. */
type Phase = 'checking' | 'unreachable' | 'settled';

/**
 * Why a session has ended. 'revoked': the server refused the token before its time was over, as after a log-out on another device.
 * The login page announces an end that the user has not caused in this browser.
 */
type EndReason = 'logout' | 'otherTab' | 'expired' | 'revoked';
/** `leavesAt`: when the account is deleted, after the user has just requested it. */
export type Ended = { token: string; reason: EndReason; leavesAt?: string };

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

export type SessionKind = 'user' | 'admin';

/** The session of an end user or of an admin. */
export type Session = {
  isLoggedIn: boolean;
  token: string | null;
  errors: string[];
  phase: Phase;
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
  /** When the account is deleted whose user requested it a moment ago, which ended the session. */
  leavesAt: string | null;
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
  leavesAt: null,
  role: null,
  needsSecondFactor: false,
} as const;

const storedSession = (storageKey: string): Session => {
  const token = readItem(storageKey);
  const phase = token === null ? 'settled' : 'checking';
  return { ...NO_SESSION, errors: [], secondStep: null, token, phase };
};

type Sessions = Record<SessionKind, Session>;

/** An action that changes one of the sessions. */
const changeBy = <Payload>(change: (session: Session, payload: Payload) => Session) => ({
  prepare: (kind: SessionKind, payload: Payload) => ({ payload, meta: { kind } }),
  reducer: (
    sessions: Sessions,
    { payload, meta: { kind } }: PayloadAction<Payload, string, { kind: SessionKind }>,
  ): Sessions => ({ ...sessions, [kind]: change(sessions[kind], payload) }),
});

const unchanged = (session: Session): Session => session;

const withError = (session: Session, error: string | null): Session =>
  error === null ? session : { ...session, errors: [...session.errors, error] };

const slice = createSlice({
  name: 'sessions',
  initialState: (): Sessions => ({ user: storedSession(USER_TOKEN), admin: storedSession(ADMIN_TOKEN) }),
  reducers: {
    loginRequested: changeBy<LoginInput>((session) => ({
      ...session,
      busy: true,
      errors: [],
      expired: false,
    })),
    secondStepRequested: changeBy<SecondStep>((session, secondStep) => ({
      ...session,
      busy: false,
      secondStep,
    })),
    /** Back to the password, with the reason why the second step has ended. */
    secondStepLeft: changeBy<string | null>((session, reason) =>
      withError({ ...session, secondStep: null }, reason),
    ),
    /** The server has accepted a second step or a passkey. */
    loginCompleted: changeBy<LogInReply>(unchanged),
    secondFactorSetUp: changeBy<void>((session) => ({ ...session, needsSecondFactor: false })),
    loginFailed: changeBy<string | null>((session, error) => withError({ ...session, busy: false }, error)),
    errorsDismissed: changeBy<void>((session) => ({ ...session, errors: [], expired: false })),
    checkRequested: changeBy<string>((session, token) => ({
      ...session,
      token,
      phase: session.isLoggedIn ? session.phase : 'checking',
    })),
    checkUnreachable: changeBy<void>((session) => ({
      ...session,
      phase: session.isLoggedIn ? session.phase : 'unreachable',
    })),
    started: changeBy<Started>((_, started) => ({
      ...NO_SESSION,
      isLoggedIn: true,
      token: started.token,
      errors: [],
      secondStep: null,
      user: started.user ?? null,
      subscription: started.subscription ?? null,
      deletionDueAt: started.deletionDueAt ?? null,
      role: started.role ?? null,
      needsSecondFactor: started.needsSecondFactor === true,
    })),
    /** A later response for the same session. After a log-out it must not restore the session. */
    refreshed: changeBy<Started & { user: UserView }>((session, { token, user }) =>
      session.isLoggedIn && session.token === token ? { ...session, user } : session,
    ),
    logoutRequested: changeBy<void>(unchanged),
    ended: changeBy<Ended>((session, { reason, leavesAt = null }) => {
      const wasLoggedIn = session.isLoggedIn || session.phase !== 'settled';
      const isAnnounced = reason === 'expired' || reason === 'revoked';
      return { ...session, ...NO_SESSION, expired: isAnnounced && wasLoggedIn, leavesAt };
    }),
  },
});

export const sessions = slice.actions;
export const sessionsReducer = slice.reducer;

/** The address that was typed on the way to a session. It is never stored. */
const loginEmailSlice = createSlice({
  name: 'loginEmail',
  initialState: '',
  reducers: {
    typed: (_, { payload }: PayloadAction<string>) => payload.trim(),
  },
  extraReducers: (builder) => {
    builder.addCase(sessions.loginRequested, (_, { payload }) => payload.email);
    // The next person at this computer does not see it.
    builder.addCase(sessions.started, () => '');
  },
});

export const loginEmail = loginEmailSlice.actions;
export const loginEmailReducer = loginEmailSlice.reducer;
