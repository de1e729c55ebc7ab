import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  BULK_JOB_DAYS,
  DIRECTORY_PAGE,
  NEWEST_ON_DASHBOARD,
  NEWEST_ON_PAGE,
} from '@shortlist/contracts/limits';
import { type ReactNode, Suspense } from 'react';
import { type Location, Route, Routes } from 'react-router-dom';
import { FIRST_HISTORY_PAGE } from '../lib/data/use-plan.ts';
import type { Read } from '../lib/data/use-query.ts';
import { headingText } from '../messages/headings.ts';
import { shellText } from '../messages/shell.ts';
// Most first visits end here, so the login is part of the first load.
import Login from '../pages/login.tsx';
import { Guard, PublicRoute } from './guards.tsx';
import { lazyPage, type LazyPage } from '../ui/lazy-page.tsx';
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
  '/unsubscribe': lazyPage(() => import('../pages/unsubscribe.tsx')),
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
  '/': lazyPage(() => import('../pages/home.tsx'), {
    reads: [subscription],
    outline: { title: headingText('home'), note: headingText('homeNote'), panels: 'cards' },
  }),
  '/profile': lazyPage(() => import('../pages/profile.tsx'), {
    outline: { title: headingText('profile'), note: headingText('profileNote'), panels: [3, 6] },
  }),
  '/payments': lazyPage(() => import('../pages/payments.tsx'), {
    reads: [subscription],
  }),
  '/subscription': lazyPage(() => import('../pages/subscription.tsx'), {
    outline: { title: shellText('portal') },
  }),
  '/credits': lazyPage(() => import('../pages/credits.tsx'), {
    reads: [
      { area: 'credits', endpoint: publicEndpoints.credits },
      { area: 'subscription', endpoint: publicEndpoints.creditPacks },
      { area: 'credits', endpoint: publicEndpoints.creditsHistory, input: FIRST_HISTORY_PAGE },
      { area: 'connections', endpoint: publicEndpoints.listApiKeys },
      { area: 'connections', endpoint: publicEndpoints.listConnections },
    ],
    outline: { title: headingText('credits'), panels: [4, 6, 4], isWide: true },
  }),
  '/security': lazyPage(() => import('../pages/security.tsx'), {
    reads: [
      { area: 'security', endpoint: publicEndpoints.factors },
      { area: 'security', endpoint: publicEndpoints.listDevices },
      { area: 'security', endpoint: publicEndpoints.listTrustedDevices },
      { area: 'security', endpoint: publicEndpoints.listSignIns },
    ],
    outline: {
      title: shellText('security'),
      note: headingText('securityNote'),
      columns: [
        [3, 1],
        [2, 4],
      ],
    },
  }),
  '/connections': lazyPage(() => import('../pages/connections.tsx'), {
    reads: [
      { area: 'connections', endpoint: publicEndpoints.listConnections },
      { area: 'connections', endpoint: publicEndpoints.listApiKeys },
      { area: 'connections', endpoint: publicEndpoints.webhooks },
    ],
    outline: {
      title: shellText('connections'),
      note: headingText('connectionsNote'),
      columns: [[2, 2], [2]],
    },
  }),
  '/connections/webhook': lazyPage(() => import('../pages/webhook.tsx'), {
    outline: { panels: [3, 4], isWide: true },
  }),
  '/privacy': lazyPage(() => import('../pages/privacy.tsx'), {
    outline: { title: shellText('yourData'), note: headingText('privacyNote'), panels: [2, 2] },
  }),
  '/admin/': lazyPage(() => import('../pages/admin/dashboard.tsx'), {
    reads: [newest(NEWEST_ON_DASHBOARD)],
    outline: {
      title: shellText('dashboard'),
      note: headingText('dashboardNote'),
      panels: [3, 6],
      isWide: true,
    },
  }),
  '/admin/add-user': lazyPage(() => import('../pages/admin/add-user.tsx'), {
    outline: { title: shellText('createUser'), note: headingText('createUserNote'), panels: [3, 6] },
  }),
  '/admin/user-list': lazyPage(async () => ({ default: (await userLists()).UserListPage }), {
    reads: [
      {
        area: 'directory',
        endpoint: publicEndpoints.listUsers,
        input: { sort: '-createdAt', limit: DIRECTORY_PAGE },
      },
    ],
    outline: { title: shellText('allUsers'), panels: [10], isWide: true },
  }),
  '/admin/edit-user': lazyPage(() => import('../pages/admin/edit-user.tsx'), {
    outline: { panels: [3, 8], isWide: true },
  }),
  '/admin/user-deleted': lazyPage(async () => ({ default: (await userLists()).UserDeletedPage })),
  '/admin/new-user': lazyPage(async () => ({ default: (await userLists()).NewUsersPage }), {
    reads: [newest(NEWEST_ON_PAGE)],
    outline: {
      title: shellText('newUsers'),
      note: headingText('newUsersNote', { count: NEWEST_ON_PAGE }),
      panels: [10],
      isWide: true,
    },
  }),
  '/admin/user-details': lazyPage(() => import('../pages/admin/user-details.tsx'), {
    // Its heading stands below a link that leads back to the last view of the list.
    outline: { panels: [6] },
  }),
  '/admin/campaign-details': lazyPage(() => import('../pages/admin/campaign-details.tsx'), {
    outline: { title: headingText('campaignDetails'), panels: [5, 3] },
  }),
  '/admin/payments': lazyPage(() => import('../pages/admin/payments.tsx'), {
    outline: { title: shellText('payments'), panels: [10], isWide: true },
  }),
  '/admin/payment': lazyPage(() => import('../pages/admin/payment.tsx'), {
    outline: { panels: [5, 5], isWide: true },
  }),
  '/admin/audit': lazyPage(() => import('../pages/admin/audit.tsx'), {
    outline: { title: shellText('auditLog'), note: headingText('auditNote'), panels: [10], isWide: true },
  }),
  '/admin/view-as': lazyPage(() => import('../pages/admin/view-as.tsx'), {
    outline: { title: headingText('viewAs'), panels: [4] },
  }),
  '/admin/team': lazyPage(() => import('../pages/admin/team.tsx'), {
    reads: [{ area: 'directory', endpoint: publicEndpoints.team }],
    outline: { title: shellText('team'), note: headingText('teamNote'), panels: [5, 8], isWide: true },
  }),
  '/admin/jobs': lazyPage(() => import('../pages/admin/jobs.tsx'), {
    outline: {
      title: shellText('jobs'),
      note: headingText('jobsNote', { days: BULK_JOB_DAYS }),
      panels: [6],
      isWide: true,
    },
  }),
  '/admin/tools': lazyPage(() => import('../pages/admin/tools.tsx'), {
    reads: [{ area: 'system', endpoint: publicEndpoints.tools }],
    outline: {
      title: shellText('connectedTools'),
      note: headingText('toolsNote'),
      panels: [5],
      isWide: true,
    },
  }),
  '/admin/notices': lazyPage(() => import('../pages/admin/notices.tsx'), {
    reads: [{ area: 'notices', endpoint: publicEndpoints.notices }],
    outline: {
      title: shellText('notices'),
      note: headingText('noticesNote'),
      panels: [2, 2, 3],
      isWide: true,
    },
  }),
  '/admin/emails': lazyPage(() => import('../pages/admin/emails.tsx'), {
    outline: { title: shellText('emails'), note: headingText('emailsNote'), panels: [10], isWide: true },
  }),
  '/admin/security': lazyPage(() => import('../pages/admin/security.tsx'), {
    outline: { title: shellText('security'), note: headingText('adminSecurityNote'), panels: [1, 2, 2] },
  }),
  '/admin/system': lazyPage(() => import('../pages/admin/system.tsx'), {
    reads: [
      { area: 'system', endpoint: publicEndpoints.system },
      { area: 'system', endpoint: publicEndpoints.systemStatus },
    ],
    outline: { title: shellText('system'), note: headingText('systemNote'), panels: [2, 5, 6], isWide: true },
  }),
  '/admin/reports': lazyPage(() => import('../pages/admin/reports.tsx'), {
    outline: { title: shellText('reports'), panels: [6, 8, 10], isWide: true },
  }),
  '/admin/reports/entries': lazyPage(() => import('../pages/admin/report-entries.tsx'), {
    outline: { panels: [10], isWide: true },
  }),
  '/admin/subscription-management': lazyPage(
    async () => ({
      default: (await managedByProvider()).ManageSubscriptionPage,
    }),
    { outline: { title: shellText('manageSubscription'), panels: [2] } },
  ),
  '/admin/edit-subscription': lazyPage(
    async () => ({
      default: (await managedByProvider()).EditSubscriptionPage,
    }),
    { outline: { title: headingText('editSubscription'), panels: [2] } },
  ),
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

/** An address may end with a slash or without one. */
const pageAt = (path: string): LazyPage | undefined =>
  SESSION_PAGES[path] ?? SESSION_PAGES[path.replace(/\/+$/, '')] ?? SESSION_PAGES[`${path}/`];

export const AppRoutes = withPendingNavigation(Pages, pageAt);

/** Loads the code of a page of a session ahead of its first rendering. */
export const preloadPage = (path: string): void => void pageAt(path)?.preload();
