// What the frame around a page shows, and remembers between pages: its title, the last page, the toasts, and where the palette has led.
import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import { paths, sameOriginPath } from '../paths.ts';
import { readTabItem } from '../storage.ts';
import { sessions } from './sessions.ts';

export const LAST_PAGE = 'lastPage';

/** The name of the page, and the title and description of the document. */
export type PageInfo = { pageName: string; pageTitle: string; pageDescription: string };

type PageState = PageInfo & { lastPage: string };

const initialState = (): PageState => ({
  pageName: '',
  pageTitle: '',
  pageDescription: '',
  lastPage: sameOriginPath(readTabItem(LAST_PAGE), paths.home),
});

const pageSlice = createSlice({
  name: 'page',
  initialState,
  reducers: {
    infoSet: (state, { payload }: PayloadAction<PageInfo>) => ({ ...state, ...payload }),
    lastPageSet: (state, { payload }: PayloadAction<string>) => {
      state.lastPage = sameOriginPath(payload, paths.home);
    },
  },
});

export const page = pageSlice.actions;
export const pageReducer = pageSlice.reducer;

type Toast = { id: string; text: string; isBad: boolean };

const toastSlice = createSlice({
  name: 'toasts',
  initialState: [] as Toast[],
  reducers: {
    added: {
      prepare: (text: string, isBad?: boolean) => ({
        payload: { id: nanoid(), text, isBad: isBad === true },
      }),
      reducer: (state, { payload }: PayloadAction<Toast>) => {
        state.push(payload);
      },
    },
    dismissed: (state, { payload }: PayloadAction<string>) => state.filter(({ id }) => id !== payload),
  },
});

export const toasts = toastSlice.actions;
export const toastsReducer = toastSlice.reducer;

const RECENT_MAX = 5;

/** A page or user to which the palette has led. */
type Recent = { id: string; label: string; to: string };

/** In memory alone, and only as long as the session: the list names users. */
const recentSlice = createSlice({
  name: 'recent',
  initialState: (): Recent[] => [],
  reducers: {
    chosen: (state, { payload }: PayloadAction<Recent>) =>
      [payload, ...state.filter(({ id }) => id !== payload.id)].slice(0, RECENT_MAX),
  },
  extraReducers: (builder) => {
    builder.addCase(sessions.ended, () => []);
  },
});

export const recent = recentSlice.actions;
export const recentReducer = recentSlice.reducer;
