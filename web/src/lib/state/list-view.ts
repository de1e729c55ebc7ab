import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { paths } from '../paths.ts';
import { adminAuth } from './admin-auth.ts';

/** How the admin left the list of users: its part of the address, and the cursors of the pages before. */
export type ListView = { search: string; cursors: string[] };

/** An address to go to, with what is kept in its history entry. */
export type Destination = { to: string; state?: unknown };

const initialState: ListView = { search: '', cursors: [] };

const slice = createSlice({
  name: 'listLeft',
  initialState,
  reducers: {
    changed: (_, { payload }: PayloadAction<ListView>) => payload,
  },
  extraReducers: (builder) => {
    // What one admin searched for is not the next one's.
    builder.addCase(adminAuth.ended, (state, { payload }) =>
      payload.reason === 'logout' ? initialState : state,
    );
  },
});

export const listView = slice.actions;
export const listViewReducer = slice.reducer;

type Notice = 'newUserCreated' | 'userUpdated' | 'userDeleted';

/** The way back to the list, as it was left, with word of what was done meanwhile. */
export const listDestination = ({ search, cursors }: ListView, notice?: Notice): Destination => {
  const parts = [notice === undefined ? '' : `${notice}=true`, search].filter(Boolean);
  return { to: [paths.userList, parts.join('&')].filter(Boolean).join('?'), state: { cursors } };
};
