import type { UnsubscribeTime } from '@shortlist/contracts/schemas/admin';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Failure } from '../api/api-error.ts';

/** The commands on user accounts: an admin's, then a user's own. Their saga is `features/users/user-commands-saga.ts`. */
export type UserCommand =
  | { name: 'load' }
  | { name: 'add'; form: FormData }
  | { name: 'update'; id: string; form: FormData }
  | { name: 'remove'; id: string }
  | { name: 'grant'; id: string }
  | { name: 'revoke'; id: string; when: UnsubscribeTime; reason: string }
  | { name: 'signUp'; form: FormData }
  | { name: 'saveProfile'; id: string; form: FormData };

export type UserCommandName = UserCommand['name'];
type CommandState = { busy: boolean; failure: Failure | null };

const IDLE: CommandState = { busy: false, failure: null };

const initialState: Record<UserCommandName, CommandState> = {
  load: IDLE,
  add: IDLE,
  update: IDLE,
  remove: IDLE,
  grant: IDLE,
  revoke: IDLE,
  signUp: IDLE,
  saveProfile: IDLE,
};

const slice = createSlice({
  name: 'userCommands',
  initialState,
  reducers: {
    requested: (state, { payload }: PayloadAction<UserCommand>) => {
      state[payload.name] = { busy: true, failure: null };
    },
    succeeded: (state, { payload }: PayloadAction<UserCommandName>) => {
      state[payload] = IDLE;
    },
    failed: (state, { payload }: PayloadAction<{ name: UserCommandName; failure: Failure }>) => {
      // After a reset, the failure concerns no open screen.
      if (state[payload.name].busy) state[payload.name] = { busy: false, failure: payload.failure };
    },
    reset: (state, { payload }: PayloadAction<UserCommandName>) => {
      state[payload] = IDLE;
    },
  },
});

export const userCommands = slice.actions;
export const userCommandsReducer = slice.reducer;
