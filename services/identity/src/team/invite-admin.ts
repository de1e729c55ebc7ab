import { recordAction, recordAdminChange } from '@shortlist/audit/audit-log';
import type { NewInvitation } from '@shortlist/contracts/api/team';
import { days } from '@shortlist/contracts/durations';
import { adminAccessChanged, adminInvited, ownerAdded } from '@shortlist/contracts/events/identity';
import { INVITATION_DAYS } from '@shortlist/contracts/limits';
import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { endTokens, getToken, useToken } from '../accounts/mailed-token-queries.ts';
import { type AccountRow, insertAccount } from '../accounts/queries.ts';
import { isEmailFree, takeProvenEmail } from '../accounts/take-email.ts';
import {
  deleteInvitation,
  findOpenInvitation,
  insertInvitation,
  type InvitationRow,
  lockAdmin,
  lockInvitation,
  lockInvitationsBy,
  lockOwners,
  newAdmin,
  renewInvitation,
} from './queries.ts';

/**
 * Throws unless the caller is an owner now. The lock on the owners serializes their changes of the team: if two owners demote each other
 * concurrently, the second is no longer an owner.
 */
export const assertOwner = async (tx: Tx, { role, userId }: Caller): Promise<string> => {
  const owners = role === 'admin' ? await lockOwners(tx) : [];
  const owner = owners.find(({ id }) => id === userId);
  if (owner === undefined) throw createError('session.permission_missing');
  return owner.id;
};

/**
 * The admin whom an owner changes, locked. Throws `identity.own_access` for the caller: because owners cannot change their own access, at least
 * one owner always remains.
 */
export const lockOtherAdmin = async (tx: Tx, id: string, caller: Caller): Promise<AccountRow> => {
  const ownerId = await assertOwner(tx, caller);
  if (id === ownerId) throw createError('identity.own_access');
  const admin = await lockAdmin(tx, id);
  if (admin === null) throw createError('identity.admin_not_found');
  return admin;
};

type By = { caller: Caller; clock: Clock };
type OfInvitation = By & { id: string };

const expiryAt = (clock: Clock): Date => new Date(clock().getTime() + days(INVITATION_DAYS));

const refused = (code: 'identity.email_taken' | 'identity.already_invited', cause?: unknown) =>
  createFieldError(code, 'email', { cause });

/** Causes the mail with the link. */
const announce = (tx: Tx, { id, role, invitedBy }: InvitationRow, clock: Clock) =>
  emit(tx, adminInvited, { subject: id, data: { role, by: invitedBy }, clock });

/** Throws `identity.email_taken` if the email has an account, `identity.already_invited` if it has an open invitation. */
export const inviteAdmin = async (
  tx: Tx,
  { email, role }: NewInvitation,
  { caller, clock }: By,
): Promise<InvitationRow> => {
  const invitedBy = await assertOwner(tx, caller);
  const isFree = await isEmailFree(tx, { email, accountId: '' }, clock());
  if (!isFree) throw refused('identity.email_taken');
  const row = { id: uuidv7(), email, role, invitedBy, expiresAt: expiryAt(clock) };
  try {
    await insertInvitation(tx, row);
  } catch (error) {
    throw isDuplicate(error) ? refused('identity.already_invited', error) : error;
  }
  await announce(tx, row, clock);
  await recordAdminChange(tx, {
    action: 'team.invite',
    targetId: row.id,
    after: { email, role },
    caller,
    clock,
  });
  return row;
};

type Locked = { invitation: InvitationRow; ownerId: string };

const lockForOwner = async (tx: Tx, { id, caller }: OfInvitation): Promise<Locked> => {
  const ownerId = await assertOwner(tx, caller);
  const invitation = await lockInvitation(tx, id);
  if (invitation === null) throw createError('identity.invitation_not_found');
  return { invitation, ownerId };
};

/** Sends an invitation again. The owner who does so becomes its inviter. */
export const resendInvitation = async (tx: Tx, input: OfInvitation): Promise<InvitationRow> => {
  const { id, caller, clock } = input;
  const { invitation, ownerId } = await lockForOwner(tx, input);
  const renewal = { invitedBy: ownerId, expiresAt: expiryAt(clock) };
  await renewInvitation(tx, id, renewal);
  const { email, role } = invitation;
  await announce(tx, { ...invitation, ...renewal }, clock);
  await recordAdminChange(tx, {
    action: 'team.resend_invitation',
    targetId: id,
    after: { email, role },
    caller,
    clock,
  });
  return { ...invitation, ...renewal };
};

const end = async (tx: Tx, { id, email, role }: InvitationRow, { caller, clock }: By): Promise<void> => {
  await deleteInvitation(tx, id);
  await endTokens(tx, { accountId: id, purpose: 'admin_invite' }, clock());
  const entry = { action: 'team.cancel_invitation', before: { email, role } } as const;
  await recordAdminChange(tx, { ...entry, targetId: id, caller, clock });
};

export const cancelInvitation = async (tx: Tx, input: OfInvitation): Promise<void> => {
  const { invitation } = await lockForOwner(tx, input);
  await end(tx, invitation, input);
};

/** Permanently ends the invitations of an admin who is no longer an owner: they do not return with the admin's access. */
export const endInvitationsBy = async (tx: Tx, inviterId: string, by: By): Promise<void> => {
  for (const invitation of await lockInvitationsBy(tx, inviterId)) await end(tx, invitation, by);
};

const purpose = 'admin_invite';

/** The open invitation of a token. Throws `identity.link_ended`. */
export const getInvitation = async (tx: Tx, token: string, clock: Clock): Promise<InvitationRow> => {
  const now = clock();
  const { accountId } = await getToken(tx, { token, purpose }, now);
  const invitation = await findOpenInvitation(tx, accountId, now);
  if (invitation === null) throw createError('identity.link_ended');
  return invitation;
};

/**
 * Uses a token and locks its invitation. The owners are locked first, as for every change of the team, which serializes this with changes of
 * the inviter's access. The invitation's own end applies, because a token that was emailed late lives longer.
 */
const lockOpenInvitation = async (tx: Tx, token: string, now: Date): Promise<InvitationRow> => {
  const owners = await lockOwners(tx);
  const { accountId } = await useToken(tx, { token, purpose }, now);
  const invitation = await lockInvitation(tx, accountId);
  const isOpen =
    invitation !== null && invitation.expiresAt > now && owners.some(({ id }) => id === invitation.invitedBy);
  if (!isOpen) throw createError('identity.link_ended');
  return invitation;
};

type Acceptance = {
  token: string;
  passwordHash: string;
  name: string | null;
  address: string;
  clock: Clock;
};

/** Creates the account of a new admin. The token has proved the email; the second factor is set up at the first log-in. */
export const acceptInvitation = async (
  tx: Tx,
  { token, passwordHash, name, address, clock }: Acceptance,
): Promise<{ email: string }> => {
  const now = clock();
  const { id: invitationId, email, role, invitedBy } = await lockOpenInvitation(tx, token, now);
  const id = uuidv7();
  const store = () => insertAccount(tx, newAdmin({ id, email, passwordHash, role, name, now }));
  await takeProvenEmail(tx, { id, email }, { clock, store });
  await deleteInvitation(tx, invitationId);
  const data = { role, version: 0, generation: 0, by: invitedBy, isRemoved: false };
  await emit(tx, adminAccessChanged, { subject: id, data, clock });
  if (role === 'owner') await emit(tx, ownerAdded, { subject: id, data: { by: invitedBy }, clock });
  const entry = { action: 'team.join', after: { email, role, name } } as const;
  await recordAction(tx, { ...entry, actorId: id, targetId: id, address, clock });
  return { email };
};
