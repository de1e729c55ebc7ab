import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { ValidationErrorItem } from 'joi';
import type { Context } from '../context.ts';
import { createErrorHandler, delay, takeMatchingFault } from '../faults.ts';
import { randomText } from '../state.ts';
import { type Mail, mailSchema, toMails, type MailRequest } from './mail.ts';
import { removeSuppression, sendTo } from './mailboxes.ts';

type MailError = {
  message: string;
  field: string | null;
  help: string | null;
};

const sendError = (response: Response, status: number, errors: MailError[]): void => {
  if (status === 429) response.set('Retry-After', '1');
  response.status(status).json({ errors });
};

const mailError = (message: string, field: string | null = null): MailError => ({
  message,
  field,
  help: null,
});

const faultMessage = (status: number): string =>
  status === 429 ? 'too many requests' : `Injected failure with status ${status}.`;

const toMailError = (detail: ValidationErrorItem): MailError => {
  const field = detail.path.join('.');
  const isAddress = detail.type === 'string.email';
  return mailError(
    isAddress ? 'Does not contain a valid address.' : detail.message.replaceAll('"', ''),
    field,
  );
};

const findMailErrors = (body: unknown): MailError[] => {
  const result = mailSchema.validate(body ?? {}, { abortEarly: false, convert: false });
  if (result.error) return result.error.details.map(toMailError);
  const { value } = result;
  const isWithoutSubject = value.personalizations.some((group) => !group.subject) && !value.subject;
  return isWithoutSubject
    ? [
        mailError(
          'The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.',
          'subject',
        ),
      ]
    : [];
};

/** Sends a mail to each of its recipients, of which the events tell the product. */
const deliver = ({ state, mailEvents }: Context, mail: Mail): void => {
  for (const { email } of [...mail.to, ...mail.cc, ...mail.bcc]) {
    const fated = sendTo(state, email, mail);
    mail.outcomes[email] = fated.at(-1)?.event ?? '';
    mailEvents.add(mail, email, fated);
  }
};

const storeMails = (context: Context, request: MailRequest): string => {
  const messageId = randomText(22);
  const at = new Date(context.clock.realNow()).toISOString();
  for (const mail of toMails(request, { messageId, at })) {
    context.state.mails.set(mail.id, mail);
    deliver(context, mail);
  }
  context.persistence.scheduleSave();
  return messageId;
};

const send = async (context: Context, request: Request, response: Response): Promise<void> => {
  const fault = takeMatchingFault(context, request.method, request.baseUrl + request.path);
  if (fault && fault.delayMs > 0) await delay(fault.delayMs);
  if (fault && fault.status !== null) {
    sendError(response, fault.status, [mailError(faultMessage(fault.status))]);
    return;
  }
  const problems = findMailErrors(request.body);
  if (problems.length > 0) {
    sendError(response, 400, problems);
    return;
  }
  const messageId = storeMails(context, request.body as MailRequest);
  if (fault?.reset) request.socket.destroy();
  else response.status(202).set('X-Message-Id', messageId).end();
};

/** Removes an address from one of the lists to which nothing is sent. */
const unsuppress = (context: Context, request: Request, response: Response): void => {
  const fault = takeMatchingFault(context, request.method, request.baseUrl + request.path);
  if (fault && fault.status !== null) {
    sendError(response, fault.status, [mailError(faultMessage(fault.status))]);
    return;
  }
  const { list, email } = request.params as { list: string; email: string };
  if (!removeSuppression(context.state, list, email)) {
    sendError(response, 404, [mailError('resource not found')]);
    return;
  }
  context.persistence.scheduleSave();
  response.status(204).end();
};

/** Serves SendGrid's `POST /v3/mail/send` and `DELETE /v3/suppression/…`; mounted at /v3. */
export const mailRoutes = (context: Context): Router => {
  const router = express.Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    if (context.keys.mail.some((key) => request.get('authorization') === `Bearer ${key}`)) next();
    else
      sendError(response, 401, [
        mailError('The provided authorization grant is invalid, expired, or revoked'),
      ]);
  });
  router.use(express.json({ limit: '30mb' }));
  router.post('/mail/send', (request, response) => send(context, request, response));
  router.delete('/suppression/:list/:email', (request, response) => unsuppress(context, request, response));
  router.use((_request: Request, response: Response) => sendError(response, 404, [mailError('not found')]));
  router.use(
    createErrorHandler((error, response) =>
      sendError(response, 400, [mailError(`Bad Request: ${error.message}`)]),
    ),
  );
  return router;
};
