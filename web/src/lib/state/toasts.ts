import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';

type Toast = { id: string; text: string; isBad: boolean };

const slice = createSlice({
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

export const toasts = slice.actions;
export const toastsReducer = slice.reducer;
