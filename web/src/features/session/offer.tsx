import { PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';

/** What the product is, beside the forms of those who are not in yet. */
export const Offer = (): ReactNode => (
  <>
    <h2>Find the right people, and write to them as a person.</h2>
    <ul>
      <li>LinkedIn automation agent</li>
      <li>Cloud recruiter CRM</li>
      <li>AI browser extension for outreach</li>
      <li>
        <span>Email-finder credits</span>
        <span className="num">{PREMIUM_CREDITS} a month</span>
      </li>
    </ul>
  </>
);
