import { configureStore } from '@reduxjs/toolkit';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { StaticRouter } from 'react-router-dom';
import { reducers } from '../lib/state/reducers.ts';
import { paths } from '../lib/paths.ts';
import Login from '../pages/login.tsx';

/**
 * The login screen as it is before anybody has typed, for the page itself: most first visits end there, and see it before
 * a script has run. It is inert until React puts the real one in its place, so that nothing can be typed and lost.
 */
export const prerenderLogin = (): string =>
  renderToStaticMarkup(
    <div className="prerendered" inert>
      <Provider store={configureStore({ reducer: reducers })}>
        <StaticRouter location={paths.login}>
          <Login />
        </StaticRouter>
      </Provider>
    </div>,
  );
