import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { adminAuth, endUserAuth } from './auth.ts';

/** The address that was typed on the way to a session. It is never stored. */
const slice = createSlice({
  name: 'loginEmail',
  initialState: '',
  reducers: {
    typed: (_, { payload }: PayloadAction<string>) => payload.trim(),
  },
  extraReducers: (builder) => {
    for (const { loginRequested, started } of [endUserAuth, adminAuth]) {
      builder.addCase(loginRequested, (_, { payload }) => payload.email);
      // The next person at this computer does not see it.
      builder.addCase(started, () => '');
    }
  },
});

export const loginEmail = slice.actions;
export const loginEmailReducer = slice.reducer;
