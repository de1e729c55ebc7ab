import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { UserView } from '@shortlist/contracts/api/public';
import type { Failure } from '../api/api-error.ts';

/** What an admin can have done to users. The course of each is a saga; its state is kept here. */
export type UserCommand =
  | { name: 'load' }
  | { name: 'add'; form: FormData }
  | { name: 'update'; id: string; form: FormData }
  | { name: 'remove'; id: string }
  | { name: 'grant'; id: string }
  | { name: 'revoke'; id: string };

type CommandName = UserCommand['name'];
type CommandState = { busy: boolean; failure: Failure | null };

const IDLE: CommandState = { busy: false, failure: null };

const initialState: Record<CommandName, CommandState> = {
  load: IDLE,
  add: IDLE,
  update: IDLE,
  remove: IDLE,
  grant: IDLE,
  revoke: IDLE,
};

const slice = createSlice({
  name: 'userCommands',
  initialState,
  reducers: {
    requested: (state, { payload }: PayloadAction<UserCommand>) => {
      state[payload.name] = { busy: true, failure: null };
    },
    succeeded: (state, { payload }: PayloadAction<{ name: CommandName; user: UserView | null }>) => {
      state[payload.name] = IDLE;
    },
    failed: (state, { payload }: PayloadAction<{ name: CommandName; failure: Failure }>) => {
      state[payload.name] = { busy: false, failure: payload.failure };
    },
    reset: (state, { payload }: PayloadAction<CommandName>) => {
      state[payload] = IDLE;
    },
  },
});

export const userCommands = slice.actions;
export const userCommandsReducer = slice.reducer;
