import { type ReactNode, Suspense } from 'react';
import { type Location, Route, Routes } from 'react-router-dom';
// Most first visits end here, so the login is part of the first load.
import Login from '../pages/login.tsx';
import { Guard, PublicRoute } from './guards.tsx';
import { NotFound, PAYMENT_PAGES, PUBLIC_PAGES, SESSION_PAGES } from './pages.ts';
import { withPendingNavigation } from './shell/pending-navigation.tsx';

const Pages = ({ location }: { location: Location }): ReactNode => (
  <Suspense fallback={null}>
    <Routes location={location}>
      <Route path="/login" element={<Login />} />
      {Object.entries(PUBLIC_PAGES).map(([path, Page]) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      {Object.entries(PAYMENT_PAGES).map(([path, Page]) => (
        <Route
          key={path}
          path={path}
          element={
            <PublicRoute>
              <Page />
            </PublicRoute>
          }
        />
      ))}
      <Route element={<Guard />}>
        {Object.entries(SESSION_PAGES).map(([path, Page]) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  </Suspense>
);

export const AppRoutes = withPendingNavigation(Pages, (path) => {
  void SESSION_PAGES[path]?.preload();
  return SESSION_PAGES[path]?.reads ?? [];
});
