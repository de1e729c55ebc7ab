import Joi from 'joi';

type Address = {
  email: string;
  name?: string;
};

type Personalization = {
  to: Address[];
  cc?: Address[];
  bcc?: Address[];
  subject?: string;
  headers?: Record<string, string>;
  custom_args?: Record<string, string>;
};

type Switch = { enable?: boolean };
const TRACKING = ['click_tracking', 'open_tracking', 'subscription_tracking'] as const;
export type TrackingSettings = { [Name in (typeof TRACKING)[number]]?: Switch };

export type MailRequest = {
  personalizations: Personalization[];
  from: Address;
  reply_to?: Address;
  subject?: string;
  content: { type: string; value: string }[];
  headers?: Record<string, string>;
  categories?: string[];
  custom_args?: Record<string, string>;
  tracking_settings?: TrackingSettings;
  mail_settings?: { bypass_spam_management?: Switch };
};

/** One message of a send request: SendGrid sends one per personalization. */
export type Mail = {
  id: string;
  at: string;
  from: Address;
  replyTo: Address | null;
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  categories: string[];
  customArgs: Record<string, string>;
  /** Whether links, openings or unsubscribing are tracked, as an account may do unless a request says otherwise. */
  isTracked: boolean;
  /** Whether it goes to who reported another one as spam, too. */
  bypassesSpam: boolean;
  /** The last event of each recipient, such as delivered or dropped. */
  outcomes: Record<string, string>;
};

const address = Joi.object<Address>({
  email: Joi.string().email({ tlds: false }).required(),
  name: Joi.string().allow(''),
});

const stringMap = Joi.object().pattern(Joi.string(), Joi.string().allow(''));

const personalization = Joi.object<Personalization>({
  to: Joi.array().items(address).min(1).required(),
  cc: Joi.array().items(address),
  bcc: Joi.array().items(address),
  subject: Joi.string(),
  headers: stringMap,
  custom_args: stringMap,
}).unknown();

export const mailSchema = Joi.object<MailRequest>({
  personalizations: Joi.array().items(personalization).min(1).max(1000).required(),
  from: address.required(),
  reply_to: address,
  subject: Joi.string(),
  content: Joi.array()
    .items(Joi.object({ type: Joi.string().required(), value: Joi.string().required() }))
    .min(1)
    .required(),
  headers: stringMap,
  categories: Joi.array().items(Joi.string()),
  custom_args: stringMap,
}).unknown();

type MessageInfo = {
  messageId: string;
  at: string;
};

/** A name that a header has to quote reaches the header as it is: the mail is accepted, and nobody gets it. */
const isLost = ({ to }: Personalization): boolean =>
  to.some(({ name = '' }) => /[()<>[\]:;@\\,."]/.test(name));

const isTracked = ({ tracking_settings: settings = {} }: MailRequest): boolean =>
  TRACKING.some((name) => settings[name]?.enable !== false);

export const toMails = (request: MailRequest, { messageId, at }: MessageInfo): Mail[] => {
  const contentOf = (type: string) => request.content.find((content) => content.type === type)?.value ?? null;
  const delivered = request.personalizations.filter((group) => !isLost(group));
  return delivered.map((group, index) => ({
    id: index === 0 ? messageId : `${messageId}.${index}`,
    at,
    from: request.from,
    replyTo: request.reply_to ?? null,
    to: group.to,
    cc: group.cc ?? [],
    bcc: group.bcc ?? [],
    subject: group.subject ?? request.subject ?? '',
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
    headers: { ...request.headers, ...group.headers },
    categories: request.categories ?? [],
    customArgs: { ...request.custom_args, ...group.custom_args },
    isTracked: isTracked(request),
    bypassesSpam: request.mail_settings?.bypass_spam_management?.enable === true,
    outcomes: {},
  }));
};
