import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { ownPath, paths } from '../paths.ts';
import { recallInTab } from '../storage.ts';
import type { Place } from './list-left.ts';

export const LAST_PAGE = 'lastPage';
export const LAST_ADMIN_PAGE = 'lastAdminPage';

/** The names are spec.md's own, misspelling included. */
export type PageInfo = { pageName: string; pageTitle: string; pageDescripttion: string };

type PageState = PageInfo & {
  lastPage: string;
  lastAdminPage: string;
  /** Where a command wants the browser to go next; the shell goes there and clears it. */
  goTo: Place | null;
};

const initialState = (): PageState => ({
  pageName: '',
  pageTitle: '',
  pageDescripttion: '',
  lastPage: ownPath(recallInTab(LAST_PAGE), paths.home),
  lastAdminPage: ownPath(recallInTab(LAST_ADMIN_PAGE), paths.admin),
  goTo: null,
});

const slice = createSlice({
  name: 'page',
  initialState,
  reducers: {
    shown: (state, { payload }: PayloadAction<PageInfo>) => ({ ...state, ...payload }),
    lastPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastPage = ownPath(payload, paths.home);
    },
    lastAdminPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastAdminPage = ownPath(payload, paths.admin);
    },
    goToRequested: (state, { payload }: PayloadAction<Place>) => {
      state.goTo = payload;
    },
    wentTo: (state) => {
      state.goTo = null;
    },
  },
});

export const page = slice.actions;
export const pageReducer = slice.reducer;
