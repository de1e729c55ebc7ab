/** All paths of the product. */
export const paths = {
  home: '/',
  register: '/register',
  login: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  profile: '/profile',
  payments: '/payments',
  paymentSuccess: '/payments/success',
  paymentCancel: '/payments/cancel',
  subscription: '/subscription',
  changeCard: '/subscription?page=card',
  credits: '/credits',
  security: '/security',
  emailCode: '/security#email-code',
  connections: '/connections',
  webhook: (id: string) => `/connections/webhook?id=${encodeURIComponent(id)}`,
  connect: '/connect',
  apiReference: '/api/v1/reference',
  privacy: '/privacy',
  admin: '/admin/',
  adminLogin: '/admin/login',
  addUser: '/admin/add-user',
  userList: '/admin/user-list',
  newUsers: '/admin/new-user',
  adminPayments: '/admin/payments',
  adminPayment: (invoiceId: string) => `/admin/payment?id=${encodeURIComponent(invoiceId)}`,
  adminReports: '/admin/reports',
  adminReport: (search: string) => (search === '' ? '/admin/reports' : `/admin/reports?${search}`),
  reportEntries: '/admin/reports/entries',
  reportEntriesOf: (search: string) => `/admin/reports/entries?${search}`,
  adminSystem: '/admin/system',
  adminSecurity: '/admin/security',
  adminAudit: '/admin/audit',
  adminTeam: '/admin/team',
  adminTools: '/admin/tools',
  adminJobs: '/admin/jobs',
  adminJob: (id: string) => `/admin/jobs?job=${encodeURIComponent(id)}`,
  adminNotices: '/admin/notices',
  adminEmails: '/admin/emails',
  adminEmail: (name: string) => `/admin/emails?name=${encodeURIComponent(name)}`,
  manageSubscription: '/admin/subscription-management',
  userDeleted: '/admin/user-deleted',
  findUsers: (search: string) => `/admin/user-list?${new URLSearchParams({ search }).toString()}`,
  editUser: (id: string) => `/admin/edit-user?user_id=${encodeURIComponent(id)}`,
  userTab: (id: string, tab: string) => `/admin/edit-user?user_id=${encodeURIComponent(id)}&tab=${tab}`,
  auditOf: (id: string) => `/admin/audit?about=${encodeURIComponent(id)}`,
  viewAs: (id: string) => `/admin/view-as?user_id=${encodeURIComponent(id)}`,
  viewUser: (id: string) => `/admin/user-details?user_id=${encodeURIComponent(id)}`,
  manageSubscriptionOf: (id: string) => `/admin/subscription-management?user_id=${encodeURIComponent(id)}`,
  picture: (name: string) => `/profile_pictures/${encodeURIComponent(name)}`,
} as const;

/** A path belongs to the admin area when it contains /admin. Source: docs/product.md. */
export const isAdminPath = (pathname: string): boolean => pathname.includes('/admin');

/** Where a user goes who has just logged in: to the page that needed it, or home. */
export const pageAfterLogIn = (lastPage: string): string =>
  lastPage.startsWith(paths.login) || lastPage.startsWith(paths.register) ? paths.home : lastPage;

/** The state of a history entry that leads to the login because a page needs a session. */
export const LOGIN_REQUIRED = { isLoginRequired: true } as const;

export const isLoginRequired = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isLoginRequired' in state;

/** The state of a history entry that leads from the admin's login to the page for a lost password, and back. */
export const FROM_ADMIN_LOGIN = { isFromAdminLogin: true } as const;

export const isFromAdminLogin = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isFromAdminLogin' in state;

/** The state of a history entry that leads to the page of the security settings to change the address. */
export const CHANGE_EMAIL = { isChangingEmail: true } as const;

export const isChangingEmail = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isChangingEmail' in state;

const CONTROL = /[\p{Cc}\\]/u;

/** The path if it stays on our own origin, else the fallback, for instance for `//evil`, `/\evil` and `javascript:`. */
export const sameOriginPath = (path: string | null, fallback: string): string => {
  if (path === null || !path.startsWith('/') || path.startsWith('//') || CONTROL.test(path)) return fallback;
  const url = new URL(path, window.location.origin);
  // `/..//evil` only leaves our origin once its dots are resolved.
  const isSameOrigin = url.origin === window.location.origin && !url.pathname.startsWith('//');
  return isSameOrigin ? url.pathname + url.search + url.hash : fallback;
};

/** A page in the payment provider's dashboard; undefined until the dashboard's address is loaded. */
export const providerPage = (
  provider: string | undefined,
  kind: 'customers' | 'invoices' | 'disputes',
  id: string,
): string | undefined => provider && `${provider.replace(/\/+$/, '')}/${kind}/${encodeURIComponent(id)}`;
