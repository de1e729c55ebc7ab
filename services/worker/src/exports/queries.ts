import type { Tx } from '@shortlist/kit/data/db';
import { MoreThan } from 'typeorm';
import { mailEntity, type MailRow } from '../mail/mail.entity.ts';

const PAGE = 500;

/** The mails to a user by id, after the one with the id `after`. */
export const listMailsOf = (tx: Tx, userId: string, after: string): Promise<MailRow[]> =>
  tx
    .getRepository(mailEntity)
    .find({ where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: PAGE });
