// Every email with the values of an example, for admins who want to see what users get.
import { exampleMailEndpoints } from '@shortlist/contracts/api/email';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { unsubscribableKindOf } from './delivery.rules.ts';
import { type Example, EXAMPLE_LIST, findExample } from './example-data.ts';
import { type ExampleSender, writeExample } from './example-mails.ts';
import { insertMail } from './queries.ts';
import { type Senders, wakeSender } from './send-mail.ts';
import type { MailContent } from './templates.ts';

export type ExampleParts = Senders & ExampleSender & { db: Db };

const getExample = (name: string): Example => {
  const example = findExample(name);
  if (example === null) throw createError('worker.mail_not_found');
  return example;
};

const present = (example: Example, { subject }: MailContent) => ({
  name: example.name,
  subject,
  canTurnOff: unsubscribableKindOf(example.template) !== null,
});

export const addExampleEndpoints = (router: Router, parts: ExampleParts): void => {
  router.add(exampleMailEndpoints.listExampleMails, () =>
    Promise.resolve({ data: EXAMPLE_LIST.map((example) => present(example, writeExample(example, parts))) }),
  );

  router.add(exampleMailEndpoints.getExampleMail, ({ input: { name } }) => {
    const example = getExample(name);
    const content = writeExample(example, parts);
    const { text, html } = content;
    return Promise.resolve({ data: { ...present(example, content), text, html } });
  });

  router.add(exampleMailEndpoints.sendExampleMail, async ({ input: { name }, caller }) => {
    getExample(name);
    const [id, userId] = [uuidv7(), caller.userId ?? ''];
    await inTransaction(parts.db, (tx) =>
      insertMail(tx, { id, template: 'example', userId, eventId: id, data: { name } }),
    );
    await wakeSender(parts);
    return {};
  });
};
