import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { adminAuth, endUserAuth } from './auth.ts';

const SHOWN = 5;

/** A page or user to which the palette has led. */
type Recent = { id: string; label: string; to: string };

/** In memory alone, and only as long as the session: the list names users. */
const slice = createSlice({
  name: 'recent',
  initialState: (): Recent[] => [],
  reducers: {
    chosen: (state, { payload }: PayloadAction<Recent>) =>
      [payload, ...state.filter(({ id }) => id !== payload.id)].slice(0, SHOWN),
  },
  extraReducers: (builder) => {
    for (const { ended } of [endUserAuth, adminAuth]) builder.addCase(ended, () => []);
  },
});

export const recent = slice.actions;
export const recentReducer = slice.reducer;
