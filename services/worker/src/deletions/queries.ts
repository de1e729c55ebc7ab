import type { Tx } from '@shortlist/kit/data/db';
import { mailEntity, type MailRow } from '../mail/mail.entity.ts';

export const findMailOf = (
  tx: Tx,
  { userId, template, eventId }: Pick<MailRow, 'userId' | 'template' | 'eventId'>,
): Promise<MailRow | null> => tx.getRepository(mailEntity).findOneBy({ userId, template, eventId });
