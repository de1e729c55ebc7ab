import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useCallback, useState } from 'react';
import { adminAuth, endUserAuth } from './auth.ts';
import { useAppDispatch, useAppSelector } from './hooks.tsx';

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

export const loginEmailReducer = slice.reducer;

/**
 * The address that was typed on the way to a session, so that log-in, forgotten password, reset and second step ask for it once: the one
 * of the time when the page opened, and a function that remembers another one. It is never stored.
 */
export const useLoginEmail = (): [email: string, remember: (email: string) => void] => {
  const dispatch = useAppDispatch();
  const current = useAppSelector((state) => state.loginEmail);
  const [email] = useState(current);
  const remember = useCallback((typed: string) => dispatch(slice.actions.typed(typed)), [dispatch]);
  return [email, remember];
};
