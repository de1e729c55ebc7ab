import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { UserView } from '@shortlist/contracts/api/profile';
import type { Failure } from '../api/api-error.ts';

/** 'confirmed' lasts for the second between the response and the display of the result. */
export type Confirmation =
  | { step: 'processing' }
  | { step: 'confirmed' | 'done'; user: UserView }
  | { step: 'failed'; failure: Failure; isFinal: boolean };

/** `xsl` identifies the checkout in the address of the success page. */
export type ConfirmationRequest = { xsl: string; token: string; userId: string };

type State = {
  /** Whether the success page is open. */
  isOpen: boolean;
  confirmation: Confirmation;
};

const initialState: State = { isOpen: false, confirmation: { step: 'processing' } };

const slice = createSlice({
  name: 'paymentConfirmation',
  initialState: initialState,
  reducers: {
    requested: (_, _action: PayloadAction<ConfirmationRequest>) => ({ ...initialState, isOpen: true }),
    progressed: (state, { payload }: PayloadAction<Confirmation>) =>
      state.isOpen ? { ...state, confirmation: payload } : state,
    closed: () => initialState,
  },
});

export const paymentConfirmation = slice.actions;
export const paymentConfirmationReducer = slice.reducer;
