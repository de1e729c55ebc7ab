import { layoutReducer } from './layout.ts';
import { listViewReducer } from './list-view.ts';
import { pageReducer, recentReducer, toastsReducer } from './page.ts';
import { paymentConfirmationReducer } from './payment-confirmation.ts';
import { loginEmailReducer, sessionsReducer } from './sessions.ts';

/** The state that the browser owns. The server's data is in SWR's cache. */
export const reducers = {
  layout: layoutReducer,
  listView: listViewReducer,
  loginEmail: loginEmailReducer,
  page: pageReducer,
  paymentConfirmation: paymentConfirmationReducer,
  recent: recentReducer,
  sessions: sessionsReducer,
  toasts: toastsReducer,
};

export type RootState = { [Key in keyof typeof reducers]: ReturnType<(typeof reducers)[Key]> };
