import { type Example, EXAMPLE_LIST } from './example-data.ts';
import { type MailContent, writeMail } from './templates.ts';

export type ExampleSender = { brand: string; publicUrl: string };

/** An email with the values of its example, as it is sent. */
export const writeExample = ({ template, data }: Example, sender: ExampleSender): MailContent =>
  writeMail(template, { ...sender, recipient: { email: 'marta@people.test', firstName: 'Marta' }, data });

/** The content of each variant of each email, by name. */
export const exampleMails = (brand = 'Shortlist'): [name: string, content: MailContent][] =>
  EXAMPLE_LIST.map((example) => [
    example.name,
    writeExample(example, { brand, publicUrl: 'https://shortlist.test' }),
  ]);
