import { createRoot } from 'react-dom/client';
import { App, Crashed, preloadFirstPage } from './app/app.tsx';
import { startStore } from './app/store.ts';
import { realBrowser } from './lib/browser.ts';
import './styles/main.scss';

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no #root.');

const root = createRoot(container, {
  // React unmounts the application after an uncaught error; an error page replaces it.
  onUncaughtError: (error) => {
    reportError(error);
    queueMicrotask(() => root.render(<Crashed />));
  },
});
const { store, startSaga } = startStore();
preloadFirstPage(store);
root.render(<App store={store} startSaga={startSaga} browser={realBrowser} />);
