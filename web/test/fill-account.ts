import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { fill } from './render-app.tsx';

const TYPED: [string, string][] = [
  ['First name', 'Amara'],
  ['Last name', 'Okafor'],
  ['Email', 'amara@talentfield.io'],
  ['Password', 'long enough'],
  ['Repeat password', 'long enough'],
  ['Organization name', 'Talent Field'],
  ['Primary recruiting industry', 'Software'],
  ['City', 'Bergen'],
];

/** Fills in a valid sign-up form. */
export const fillAccount = async (user: UserEvent): Promise<void> => {
  for (const [label, value] of TYPED) await fill(user, screen.getByLabelText(label), value);
  await user.selectOptions(screen.getByLabelText('Agency, TA or Hiring Manager'), 'Recruitment Agency');
  await fill(user, screen.getByLabelText('Country'), 'norw');
  await user.keyboard('{Enter}');
};
