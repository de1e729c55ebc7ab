import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';

type Toast = { id: string; text: string };

const slice = createSlice({
  name: 'toasts',
  initialState: [] as Toast[],
  reducers: {
    shown: {
      prepare: (text: string) => ({ payload: { id: nanoid(), text } }),
      reducer: (state, { payload }: PayloadAction<Toast>) => {
        state.push(payload);
      },
    },
    dismissed: (state, { payload }: PayloadAction<string>) => state.filter(({ id }) => id !== payload),
  },
});

export const toasts = slice.actions;
export const toastsReducer = slice.reducer;
