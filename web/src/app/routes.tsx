import { publicEndpoints } from '@shortlist/contracts/api/public';
import { DIRECTORY_PAGE, NEWEST_ON_DASHBOARD, NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import { type ReactNode, Suspense } from 'react';
import { type Location, Route, Routes } from 'react-router-dom';
import { FIRST_HISTORY_PAGE } from '../lib/data/use-plan.ts';
import type { Read } from '../lib/data/use-query.ts';
// Most first visits end here, so the login is part of the first load.
import Login from '../pages/login.tsx';
import { Guard, PublicRoute } from './guards.tsx';
import { lazyPage, type LazyPage } from './lazy-page.tsx';
import { withPendingNavigation } from './shell/pending-navigation.tsx';

const subscription: Read = { area: 'subscription', endpoint: publicEndpoints.subscription };
const newest = (limit: number): Read => ({
  area: 'directory',
  endpoint: publicEndpoints.newestUsers,
  input: { limit },
});

const lostPassword = () => import('../pages/lost-password.tsx');
const confirmEmail = () => import('../pages/confirm-email.tsx');
const checkoutReturn = () => import('../pages/checkout-return.tsx');
const userLists = () => import('../pages/admin/user-lists.tsx');
const managedByProvider = () => import('../pages/admin/managed-by-provider.tsx');

/** The pages that anybody may open, by their path, besides the login. */
const PUBLIC_PAGES: Record<string, LazyPage> = {
  '/register': lazyPage(() => import('../pages/register.tsx')),
  '/forgot-password': lazyPage(async () => ({ default: (await lostPassword()).ForgotPasswordPage })),
  '/verify-email': lazyPage(async () => ({ default: (await confirmEmail()).VerifyEmailPage })),
  '/confirm-email': lazyPage(async () => ({ default: (await confirmEmail()).ConfirmEmailPage })),
  '/undo-email-change': lazyPage(() => import('../pages/undo-email-change.tsx')),
  '/connect': lazyPage(() => import('../pages/connect.tsx')),
  '/reset-password': lazyPage(async () => ({ default: (await lostPassword()).ResetPasswordPage })),
  '/admin/login': lazyPage(() => import('../pages/admin/login.tsx')),
  '/admin/accept-invitation': lazyPage(() => import('../pages/admin/accept-invitation.tsx')),
};

/** The pages that need no session and have the shell when there is one. */
const PAYMENT_PAGES: Record<string, LazyPage> = {
  '/payments/success': lazyPage(async () => ({ default: (await checkoutReturn()).PaymentSuccessPage })),
  '/payments/cancel': lazyPage(async () => ({ default: (await checkoutReturn()).PaymentCancelPage })),
  '/credits/pack': lazyPage(async () => ({ default: (await checkoutReturn()).PackSuccessPage })),
};

/** The pages that require a session: an admin's below /admin, otherwise a user's. */
const SESSION_PAGES: Record<string, LazyPage> = {
  '/': lazyPage(() => import('../pages/home.tsx'), [subscription]),
  '/profile': lazyPage(() => import('../pages/profile.tsx')),
  '/payments': lazyPage(() => import('../pages/payments.tsx'), [subscription]),
  '/subscription': lazyPage(() => import('../pages/subscription.tsx')),
  '/credits': lazyPage(
    () => import('../pages/credits.tsx'),
    [
      { area: 'credits', endpoint: publicEndpoints.credits },
      { area: 'subscription', endpoint: publicEndpoints.creditPacks },
      { area: 'credits', endpoint: publicEndpoints.creditsHistory, input: FIRST_HISTORY_PAGE },
      { area: 'connections', endpoint: publicEndpoints.listApiKeys },
      { area: 'connections', endpoint: publicEndpoints.listConnections },
    ],
  ),
  '/security': lazyPage(
    () => import('../pages/security.tsx'),
    [
      { area: 'security', endpoint: publicEndpoints.factors },
      { area: 'security', endpoint: publicEndpoints.listDevices },
      { area: 'security', endpoint: publicEndpoints.listTrustedDevices },
      { area: 'security', endpoint: publicEndpoints.listSignIns },
    ],
  ),
  '/connections': lazyPage(
    () => import('../pages/connections.tsx'),
    [
      { area: 'connections', endpoint: publicEndpoints.listConnections },
      { area: 'connections', endpoint: publicEndpoints.listApiKeys },
      { area: 'connections', endpoint: publicEndpoints.webhooks },
    ],
  ),
  '/connections/webhook': lazyPage(() => import('../pages/webhook.tsx')),
  '/privacy': lazyPage(() => import('../pages/privacy.tsx')),
  '/admin/': lazyPage(() => import('../pages/admin/dashboard.tsx'), [newest(NEWEST_ON_DASHBOARD)]),
  '/admin/add-user': lazyPage(() => import('../pages/admin/add-user.tsx')),
  '/admin/user-list': lazyPage(
    async () => ({ default: (await userLists()).UserListPage }),
    [
      {
        area: 'directory',
        endpoint: publicEndpoints.listUsers,
        input: { sort: '-createdAt', limit: DIRECTORY_PAGE },
      },
    ],
  ),
  '/admin/edit-user': lazyPage(() => import('../pages/admin/edit-user.tsx')),
  '/admin/user-deleted': lazyPage(async () => ({ default: (await userLists()).UserDeletedPage })),
  '/admin/new-user': lazyPage(
    async () => ({ default: (await userLists()).NewUsersPage }),
    [newest(NEWEST_ON_PAGE)],
  ),
  '/admin/user-details': lazyPage(() => import('../pages/admin/user-details.tsx')),
  '/admin/campaign-details': lazyPage(() => import('../pages/admin/campaign-details.tsx')),
  '/admin/payments': lazyPage(async () => ({ default: (await managedByProvider()).PaymentsPage })),
  '/admin/audit': lazyPage(() => import('../pages/admin/audit.tsx')),
  '/admin/view-as': lazyPage(() => import('../pages/admin/view-as.tsx')),
  '/admin/team': lazyPage(
    () => import('../pages/admin/team.tsx'),
    [{ area: 'directory', endpoint: publicEndpoints.team }],
  ),
  '/admin/tools': lazyPage(
    () => import('../pages/admin/tools.tsx'),
    [{ area: 'system', endpoint: publicEndpoints.tools }],
  ),
  '/admin/security': lazyPage(() => import('../pages/admin/security.tsx')),
  '/admin/system': lazyPage(
    () => import('../pages/admin/system.tsx'),
    [{ area: 'system', endpoint: publicEndpoints.system }],
  ),
  '/admin/reports': lazyPage(async () => ({ default: (await managedByProvider()).ReportsPage })),
  '/admin/subscription-management': lazyPage(async () => ({
    default: (await managedByProvider()).ManageSubscriptionPage,
  })),
  '/admin/edit-subscription': lazyPage(async () => ({
    default: (await managedByProvider()).EditSubscriptionPage,
  })),
};

const NotFound = lazyPage(async () => ({ default: (await import('../pages/unavailable.tsx')).NotFoundPage }));

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
