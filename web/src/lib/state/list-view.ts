import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { paths } from '../paths.ts';
import { sessions } from './sessions.ts';

/** The last view of the user list: its URL parameters, and the cursors of the previous pages. */
export type ListView = { search: string; cursors: string[] };

/** The state of the list's history entry: the cursors of the previous pages, and why another view could not be shown. */
export type ListHistory = { cursors?: string[]; problem?: string };

/** A path to navigate to, with the state of its history entry. */
export type Destination = { to: string; state?: unknown };

const initialState: ListView = { search: '', cursors: [] };

const slice = createSlice({
  name: 'listView',
  initialState,
  reducers: {
    changed: (_, { payload }: PayloadAction<ListView>) => payload,
  },
  extraReducers: (builder) => {
    // The next admin must not see the search of the previous one.
    builder.addCase(sessions.ended, (state, { payload, meta }) =>
      meta.kind === 'admin' && payload.reason === 'logout' ? initialState : state,
    );
  },
});

export const listView = slice.actions;
export const listViewReducer = slice.reducer;

export type ListNews = {
  notice?: 'newUserCreated' | 'userUpdated' | 'userDeleted' | undefined;
  problem?: string | undefined;
};

/** The last view of the list, with a notice of what has been done since, or why another page could not be shown. */
export const listDestination = (
  { search, cursors }: ListView,
  { notice, problem }: ListNews,
): { to: string; state: ListHistory } => {
  const parts = [notice === undefined ? '' : `${notice}=true`, search].filter(Boolean);
  const to = [paths.userList, parts.join('&')].filter(Boolean).join('?');
  return { to, state: { cursors, ...(problem === undefined ? {} : { problem }) } };
};
