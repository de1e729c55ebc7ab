import { configureStore } from '@reduxjs/toolkit';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { StaticRouter } from 'react-router-dom';
import { reducers } from '../lib/state/reducers.ts';
import { paths } from '../lib/paths.ts';
import Login from '../pages/login.tsx';

/**
 * The HTML of the empty login screen, which the build puts into the page: most first visits end there and see it before
 * any script has run. It is inert until React replaces it, so that no input can be lost.
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
