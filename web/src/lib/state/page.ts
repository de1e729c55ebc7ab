import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sameOriginPath, paths } from '../paths.ts';
import { readTabItem } from '../storage.ts';
import type { Destination } from './list-view.ts';

export const LAST_PAGE = 'lastPage';
export const LAST_ADMIN_PAGE = 'lastAdminPage';

/** The names are from docs/product.md, including the misspelling. */
export type PageInfo = { pageName: string; pageTitle: string; pageDescripttion: string };

type PageState = PageInfo & {
  lastPage: string;
  lastAdminPage: string;
  /** The destination of a finished command. The app navigates there and clears it. */
  goTo: Destination | null;
};

const initialState = (): PageState => ({
  pageName: '',
  pageTitle: '',
  pageDescripttion: '',
  lastPage: sameOriginPath(readTabItem(LAST_PAGE), paths.home),
  lastAdminPage: sameOriginPath(readTabItem(LAST_ADMIN_PAGE), paths.admin),
  goTo: null,
});

const slice = createSlice({
  name: 'page',
  initialState,
  reducers: {
    infoSet: (state, { payload }: PayloadAction<PageInfo>) => ({ ...state, ...payload }),
    lastPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastPage = sameOriginPath(payload, paths.home);
    },
    lastAdminPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastAdminPage = sameOriginPath(payload, paths.admin);
    },
    goToRequested: (state, { payload }: PayloadAction<Destination>) => {
      state.goTo = payload;
    },
    goToHandled: (state) => {
      state.goTo = null;
    },
  },
});

export const page = slice.actions;
export const pageReducer = slice.reducer;
