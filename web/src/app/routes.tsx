import { Suspense, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Guard, PublicRoute } from './guards.tsx';
import { lazyPage } from './lazy-page.tsx';
// Most first visits end here, so the login is part of the first load.
import Login from '../pages/login.tsx';

const Register = lazyPage(() => import('../pages/register.tsx'));
const ForgotPassword = lazyPage(() => import('../pages/forgot-password.tsx'));
const ResetPassword = lazyPage(() => import('../pages/reset-password.tsx'));
const VerifyEmail = lazyPage(() => import('../pages/verify-email.tsx'));
const ConfirmEmail = lazyPage(() => import('../pages/confirm-email.tsx'));
const UndoEmailChange = lazyPage(() => import('../pages/undo-email-change.tsx'));
const Home = lazyPage(() => import('../pages/home.tsx'));
const Profile = lazyPage(() => import('../pages/profile.tsx'));
const Payments = lazyPage(() => import('../pages/payments.tsx'));
const PaymentSuccess = lazyPage(() => import('../pages/payment-success.tsx'));
const PaymentCancel = lazyPage(() => import('../pages/payment-cancel.tsx'));
const Subscription = lazyPage(() => import('../pages/subscription.tsx'));
const Credits = lazyPage(() => import('../pages/credits.tsx'));
const Security = lazyPage(() => import('../pages/security.tsx'));
const NotFound = lazyPage(() => import('../pages/not-found.tsx'));
const AdminLogin = lazyPage(() => import('../pages/admin/login.tsx'));
const Dashboard = lazyPage(() => import('../pages/admin/dashboard.tsx'));
const AddUser = lazyPage(() => import('../pages/admin/add-user.tsx'));
const UserList = lazyPage(() => import('../pages/admin/user-list.tsx'));
const EditUser = lazyPage(() => import('../pages/admin/edit-user.tsx'));
const UserDeleted = lazyPage(() => import('../pages/admin/user-deleted.tsx'));
const NewUsers = lazyPage(() => import('../pages/admin/new-users.tsx'));
const UserDetails = lazyPage(() => import('../pages/admin/user-details.tsx'));
const CampaignDetails = lazyPage(() => import('../pages/admin/campaign-details.tsx'));
const AdminPayments = lazyPage(() => import('../pages/admin/payments.tsx'));
const Reports = lazyPage(() => import('../pages/admin/reports.tsx'));
const ManageSubscription = lazyPage(() => import('../pages/admin/subscription-management.tsx'));
const Audit = lazyPage(() => import('../pages/admin/audit.tsx'));
const ViewAs = lazyPage(() => import('../pages/admin/view-as.tsx'));
const Team = lazyPage(() => import('../pages/admin/team.tsx'));
const AcceptInvitation = lazyPage(() => import('../pages/admin/accept-invitation.tsx'));
const AdminSecurity = lazyPage(() => import('../pages/admin/security.tsx'));
const System = lazyPage(() => import('../pages/admin/system.tsx'));
const EditSubscription = lazyPage(() => import('../pages/admin/edit-subscription.tsx'));

const publicPage = (page: ReactNode): ReactNode => <PublicRoute>{page}</PublicRoute>;

export const AppRoutes = (): ReactNode => (
  <Suspense fallback={null}>
    <Routes>
      <Route path="login" element={<Login />} />
      <Route path="register" element={<Register />} />
      <Route path="forgot-password" element={<ForgotPassword />} />
      <Route path="verify-email" element={<VerifyEmail />} />
      <Route path="confirm-email" element={<ConfirmEmail />} />
      <Route path="undo-email-change" element={<UndoEmailChange />} />
      <Route path="reset-password" element={<ResetPassword />} />
      <Route path="payments/success" element={publicPage(<PaymentSuccess />)} />
      <Route path="payments/cancel" element={publicPage(<PaymentCancel />)} />
      <Route path="admin/login" element={<AdminLogin />} />
      <Route path="admin/accept-invitation" element={<AcceptInvitation />} />
      <Route element={<Guard />}>
        <Route index element={<Home />} />
        <Route path="profile" element={<Profile />} />
        <Route path="payments" element={<Payments />} />
        <Route path="subscription" element={<Subscription />} />
        <Route path="credits" element={<Credits />} />
        <Route path="security" element={<Security />} />
        <Route path="admin">
          <Route index element={<Dashboard />} />
          <Route path="add-user" element={<AddUser />} />
          <Route path="user-list" element={<UserList />} />
          <Route path="edit-user" element={<EditUser />} />
          <Route path="user-deleted" element={<UserDeleted />} />
          <Route path="new-user" element={<NewUsers />} />
          <Route path="user-details" element={<UserDetails />} />
          <Route path="campaign-details" element={<CampaignDetails />} />
          <Route path="payments" element={<AdminPayments />} />
          <Route path="audit" element={<Audit />} />
          <Route path="view-as" element={<ViewAs />} />
          <Route path="team" element={<Team />} />
          <Route path="security" element={<AdminSecurity />} />
          <Route path="system" element={<System />} />
          <Route path="reports" element={<Reports />} />
          <Route path="subscription-management" element={<ManageSubscription />} />
          <Route path="edit-subscription" element={<EditSubscription />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  </Suspense>
);
