import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sameOriginPath, paths } from '../paths.ts';
import { readTabItem } from '../storage.ts';

export const LAST_PAGE = 'lastPage';

/** The names are from docs/product.md, including the misspelling. */
export type PageInfo = { pageName: string; pageTitle: string; pageDescripttion: string };

type PageState = PageInfo & { lastPage: string };

const initialState = (): PageState => ({
  pageName: '',
  pageTitle: '',
  pageDescripttion: '',
  lastPage: sameOriginPath(readTabItem(LAST_PAGE), paths.home),
});

const slice = createSlice({
  name: 'page',
  initialState,
  reducers: {
    infoSet: (state, { payload }: PayloadAction<PageInfo>) => ({ ...state, ...payload }),
    lastPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastPage = sameOriginPath(payload, paths.home);
    },
  },
});

export const page = slice.actions;
export const pageReducer = slice.reducer;
