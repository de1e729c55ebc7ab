import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { ValidationErrorItem } from 'joi';
import { pause, takeFault } from '../faults/active-faults.ts';
import { randomText } from '../ids.ts';
import { onError } from '../error-handler.ts';
import type { World } from '../context.ts';
import { mailSchema, mailsOf, type MailRequest } from './mail.ts';

type MailError = {
  message: string;
  field: string | null;
  help: string | null;
};

const refuse = (response: Response, status: number, errors: MailError[]): void => {
  if (status === 429) response.set('Retry-After', '1');
  response.status(status).json({ errors });
};

const problem = (message: string, field: string | null = null): MailError => ({ message, field, help: null });

const faultMessage = (status: number): string =>
  status === 429 ? 'too many requests' : `This call was told to fail with ${status}.`;

const explain = (detail: ValidationErrorItem): MailError => {
  const field = detail.path.join('.');
  const isAddress = detail.type === 'string.email';
  return problem(isAddress ? 'Does not contain a valid address.' : detail.message.replaceAll('"', ''), field);
};

const problemsOf = (body: unknown): MailError[] => {
  const result = mailSchema.validate(body ?? {}, { abortEarly: false, convert: false });
  if (result.error) return result.error.details.map(explain);
  const { value } = result;
  const isWithoutSubject = value.personalizations.some((group) => !group.subject) && !value.subject;
  return isWithoutSubject
    ? [
        problem(
          'The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.',
          'subject',
        ),
      ]
    : [];
};

const keep = (world: World, request: MailRequest): string => {
  const messageId = randomText(22);
  const at = new Date(world.clock.realNow()).toISOString();
  for (const mail of mailsOf(request, { messageId, at })) world.state.mails.set(mail.id, mail);
  world.persistence.changed();
  return messageId;
};

const send = async (world: World, request: Request, response: Response): Promise<void> => {
  const fault = takeFault(world, request.method, request.baseUrl + request.path);
  if (fault && fault.delayMs > 0) await pause(fault.delayMs);
  if (fault && fault.status !== null) {
    refuse(response, fault.status, [problem(faultMessage(fault.status))]);
    return;
  }
  const problems = problemsOf(request.body);
  if (problems.length > 0) {
    refuse(response, 400, problems);
    return;
  }
  const messageId = keep(world, request.body as MailRequest);
  if (fault?.reset) request.socket.destroy();
  else response.status(202).set('X-Message-Id', messageId).end();
};

/** SendGrid's one call that the product makes, to be mounted at /v3. */
export const mailRoutes = (world: World): Router => {
  const router = express.Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    if (request.get('authorization') === `Bearer ${world.config.mailApiKey}`) next();
    else refuse(response, 401, [problem('The provided authorization grant is invalid, expired, or revoked')]);
  });
  router.use(express.json({ limit: '30mb' }));
  router.post('/mail/send', (request, response) => send(world, request, response));
  router.use((_request: Request, response: Response) => refuse(response, 404, [problem('not found')]));
  router.use(onError((error, response) => refuse(response, 400, [problem(`Bad Request: ${error.message}`)])));
  return router;
};
