import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AdminInvitation } from '@shortlist/contracts/api/team';
import type { System } from '@shortlist/local/system';
import { callApi, logInAdmin, mailedLink, tokenIn } from './client.ts';

export type AdminAccount = { email: string; password: string };

export const INVITATION = 'You are invited to the Shortlist admin panel';

/** Invites an admin and accepts the invitation with the link of the mail. */
export const addAdmin = async (system: System, role: AdminRole): Promise<AdminAccount> => {
  const token = await logInAdmin(system);
  const account = { email: `${role}-${Date.now()}@shortlist.test`, password: 'a long enough one' };
  const body = { email: account.email, role };
  await callApi<{ data: AdminInvitation }>(`${system.publicUrl}/api/admin/team/invitations`, 'POST', {
    token,
    body,
  });
  const link = await mailedLink(system, account.email, INVITATION);
  const acceptance = { token: tokenIn(link), password: account.password };
  const { status } = await callApi(`${system.publicUrl}/api/invitations/accept`, 'POST', {
    body: acceptance,
  });
  if (status !== 201) throw new Error(`the acceptance returned ${status}`);
  return account;
};
